"""Edge and balancer: the client address for a service's limits, and the choice of replicas."""

import json
import socket
import ssl
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from http.client import HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import urllib3
import yaml
from dynabench_common.testing import wait_until
from dynabench_local.edge import configuration
from dynabench_local.part import answers
from dynabench_local.stack import Stack
from dynabench_local.temporary import temporary_stack

from tests.authorities import Authority


class Listener(BaseHTTPRequestHandler):
    """Answers with the received client address."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        while "Transfer-Encoding" in self.headers and self.rfile.readline() not in {b"0\r\n", b""}:
            pass
        answer = ", ".join(self.headers.get_all("X-Forwarded-For") or []).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class Named(Listener):
    """Answers with its own port."""

    def do_GET(self) -> None:
        answer = str(self.connection.getsockname()[1]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


def listen(port: int) -> ThreadingHTTPServer:
    """Return a listener that serves."""
    listener = ThreadingHTTPServer(("127.0.0.1", port), Named)
    threading.Thread(target=listener.serve_forever, args=(0.02,), daemon=True).start()
    return listener


def close(listener: ThreadingHTTPServer) -> None:
    """End a listener and free its port."""
    listener.shutdown()
    listener.server_close()


@pytest.fixture(scope="module", params=["1", "2"])
def edge(request: pytest.FixtureRequest) -> Iterator[Stack]:
    """The edge, and the balancer if services have replicas, before listeners in place of accounts and pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REPLICAS", request.param)
        with temporary_stack() as stack:
            stack.up([name for name in ("edge", "balancer") if name in stack.parts])
            parts = [
                name for part in ("accounts-http", "web-http") for name in stack.layout.replicas_of(part)
            ]
            listeners = [listen(stack.layout.http_port(name)) for name in parts]
            yield stack
            for listener in listeners:
                close(listener)


@pytest.mark.parametrize("path", ["/api/accounts/v1/people", "/sign-up"])
@pytest.mark.parametrize(
    "claimed", [None, "203.0.113.7", "203.0.113.7, 198.51.100.9", "127.0.0.1, 203.0.113.7"]
)
def test_a_service_gets_the_real_client_address(edge: Stack, path: str, claimed: str | None) -> None:
    headers = {} if claimed is None else {"X-Forwarded-For": claimed}
    answer = urllib3.request("POST", edge.layout.public_url + path, headers=headers, body=b"", timeout=30)
    assert (answer.status, answer.data) == (200, b"127.0.0.1")


@pytest.mark.parametrize("path", ["/api/accounts/v1/people", "/sign-up"])
@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("5\r\nhello\r\n0\r\n\r\n", 200),
        ("zz\r\nhello\r\n0\r\n\r\n", 400),
        ("-5\r\nhello\r\n0\r\n\r\n", 400),
        ("5\r\nhelloXX0\r\n\r\n", 400),
        ("\r\n\r\n", 400),
        ("f" * 20 + "\r\nhello\r\n0\r\n\r\n", 400),
        ("5;" + "x" * 10_000 + "\r\nhello\r\n0\r\n\r\n", 400),
        ("5\r\nhello\r\n0\r\nno header\r\n\r\n", 400),
    ],
)
def test_a_body_with_malformed_pieces_is_its_senders_fault(
    edge: Stack, path: str, body: str, status: int
) -> None:
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", edge.layout.port("edge")), 30) as connection:
        connection.sendall((head + body).encode())
        answer = HTTPResponse(connection)
        answer.begin()
    assert answer.status == status


@pytest.mark.long
def test_replicas_are_called_in_turn_and_an_unavailable_one_is_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REPLICAS", "3")
    with temporary_stack() as stack:
        stack.up(["balancer"])
        ports = [stack.layout.http_port(name) for name in stack.layout.replicas_of("accounts-http")]
        listeners = [listen(port) for port in ports]
        url = stack.layout.url("accounts")

        def answering_ports(times: int) -> Counter[str]:
            return Counter(urllib3.request("GET", url, timeout=30).data.decode() for _ in range(times))

        assert answering_ports(30) == dict.fromkeys(map(str, ports), 10)
        close(listeners[0])
        assert answering_ports(30).keys() == set(map(str, ports[1:]))
        assert urllib3.request("POST", url, body=b"a write", timeout=30).status == 200
        for listener in listeners[1:]:
            close(listener)
        nobody = urllib3.request("POST", url, body=b"a write", timeout=30)
        assert (nobody.status, nobody.headers["Retry-After"]) == (503, "2")
        assert nobody.json()["type"] == "/problems/service-unavailable"


@pytest.mark.long
@pytest.mark.parametrize(("is_known", "status"), [(True, 200), (False, 503)])
def test_with_authorities_the_edge_asks_those_alone_who_show_their_certificate(
    tmp_path: Path, is_known: bool, status: int
) -> None:
    known, other = Authority("known"), Authority("other")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*(known if is_known else other).sign(tmp_path, "localhost"))
    listener = listen(0)
    listener.socket = context.wrap_socket(listener.socket, server_side=True)
    with temporary_stack() as stack:
        layout = stack.layout
        table = yaml.safe_load((layout.checkout / "deploy" / "routes.yaml").read_text())
        authorities = str(known.write(tmp_path / "ca.crt"))
        wanted = configuration(
            f"127.0.0.1:{layout.port('edge')}",
            lambda _: f"localhost:{listener.server_port}",
            table,
            authorities,
        )
        (tmp_path / "caddy.json").write_text(json.dumps(wanted))
        command = [str(layout.scripts / "caddy"), "run", "--config", str(tmp_path / "caddy.json")]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as caddy:
            wait_until(lambda: answers(layout.public_url + "/edge-health"))
            assert urllib3.request("GET", layout.public_url + "/sign-up", timeout=30).status == status
            caddy.terminate()
    close(listener)
