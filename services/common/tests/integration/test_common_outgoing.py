"""Calls to addresses that people gave: refused addresses, and the request sent."""

import hashlib
import hmac
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from dynabench_common.http.webhook_client import (
    AddressRefused,
    DeliveryFailed,
    Outgoing,
    is_public,
    signature,
)

NOBODY = Outgoing()


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/",
        "ftp://example.org/",
        "https://",
        "https://user:secret@example.org/",
        "https://127.0.0.1/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://0177.0.0.1/",
        "https://127.1/",
        "https://0/",
        "https://10.0.0.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[fe80::1]/",
        "https://[fd00::1]/",
        "https://224.0.0.1/",
        "https://example.org:22/",
        "https://example.org:99999/",
        "https://exa mple.org/",
        "https://exämple.org/",
        "https://example.org/" + "x" * 600,
        "//example.org",
        "example.org",
    ],
)
def test_what_must_not_be_called_is_refused_when_it_is_given(address: str) -> None:
    with pytest.raises(AddressRefused):
        NOBODY.check(address)


@pytest.mark.parametrize(
    "address", ["https://example.org/", "https://example.org:8443/a?b=c", "https://93.184.216.34/"]
)
def test_public_addresses_are_taken(address: str) -> None:
    NOBODY.check(address)


def test_a_name_that_leads_into_a_private_network_is_refused_when_it_is_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def resolved(*_: Any, **__: Any) -> list[Any]:
        public = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 443))
        return [public, (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.1.2.3", 443))]

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    with pytest.raises(AddressRefused, match="private"):
        NOBODY.deliver("https://inside.example.org/", "secret", b"{}")


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("100.64.0.1", False),
        ("192.168.1.1", False),
        ("0.0.0.0", False),
        ("255.255.255.255", False),
        ("::", False),
        ("::ffff:10.0.0.1", False),
        ("2002:7f00:1::", False),
        ("fe80::1%eth0", False),
    ],
)
def test_public_means_reachable_from_the_internet(address: str, expected: bool) -> None:
    assert is_public(address) is expected


class Receiver(BaseHTTPRequestHandler):
    """A request handler that answers as its server is configured and keeps the requests."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((dict(self.headers), body))  # type: ignore[attr-defined]
        self.send_response(self.server.status)  # type: ignore[attr-defined]
        self.send_header("Location", "http://127.0.0.1:1/")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


@pytest.fixture
def receiver() -> Iterator[HTTPServer]:
    server = HTTPServer(("127.0.0.1", 0), Receiver)
    server.got, server.status = [], 200  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def address_of(server: HTTPServer) -> str:
    return f"http://localhost:{server.server_address[1]}/hook?x=1"


def test_what_is_sent_is_signed(receiver: HTTPServer) -> None:
    body = json.dumps({"step": "scanned"}).encode()
    Outgoing(frozenset({"localhost"})).deliver(address_of(receiver), "secret", body)
    ((headers, got),) = receiver.got  # type: ignore[attr-defined]
    assert got == body
    at, signed = (part.split("=", 1)[1] for part in headers["Dynabench-Signature"].split(","))
    assert signed == hmac.new(b"secret", f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    assert headers["Dynabench-Signature"] == signature("secret", body, int(at))
    assert headers["Host"].startswith("localhost:")


@pytest.mark.parametrize(("status", "is_final"), [(500, False), (302, False), (404, False), (410, True)])
def test_other_answers_are_failures_and_redirects_are_not_followed(
    receiver: HTTPServer, status: int, is_final: bool
) -> None:
    receiver.status = status  # type: ignore[attr-defined]
    with pytest.raises(DeliveryFailed) as failed:
        Outgoing(frozenset({"localhost"})).deliver(address_of(receiver), "secret", b"{}")
    assert failed.value.is_final is is_final
    assert len(receiver.got) == 1  # type: ignore[attr-defined]


def test_nobody_there_is_worth_another_try() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.raises(DeliveryFailed) as failed:
        Outgoing(frozenset({"localhost"})).deliver(f"http://localhost:{port}/", "secret", b"{}")
    assert not failed.value.is_final
