"""Detection of a disconnected client, with TLS and without."""

import socket
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gevent
import pytest
from gateway.entrypoints.http.connection import CONNECTION, has_hung_up
from gevent.socket import socket as greenlets_socket
from gevent.ssl import SSLContext

from tests.authorities import Authority

Pair = tuple[Any, Any]


def connected() -> Pair:
    asking, serving = socket.socketpair()
    return tuple(greenlets_socket(fileno=each.detach()) for each in (asking, serving))


@pytest.fixture
def secured(tmp_path: Path) -> Callable[[Pair], Pair]:
    authority = Authority("the tests")
    shown = SSLContext(ssl.PROTOCOL_TLS_SERVER)
    shown.load_cert_chain(*authority.sign(tmp_path))
    trusting = SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.load_verify_locations(authority.write(tmp_path / "ca.crt"))

    def shake(pair: Pair) -> Pair:
        serving = gevent.spawn(shown.wrap_socket, pair[1], server_side=True)
        asking = trusting.wrap_socket(pair[0], server_hostname="127.0.0.1")
        return asking, serving.get(timeout=30)

    return shake


@pytest.fixture(params=["plainly", "over TLS"])
def pair(request: pytest.FixtureRequest, secured: Callable[[Pair], Pair]) -> Iterator[Pair]:
    made = secured(connected()) if request.param == "over TLS" else connected()
    yield made
    for each in made:
        each.close()


def test_who_waits_has_not_hung_up_and_who_left_has(pair: Pair) -> None:
    asking, serving = pair
    asking.sendall(b"GET / HTTP/1.1")
    assert serving.recv(100) == b"GET / HTTP/1.1"
    assert not has_hung_up({CONNECTION: serving})
    asking.sendall(b"GET /next HTTP/1.1")
    gevent.sleep(0.05)
    assert not has_hung_up({CONNECTION: serving})
    assert serving.recv(100) == b"GET /next HTTP/1.1"
    asking.close()
    assert has_hung_up({CONNECTION: serving})


def test_without_a_connection_nobody_has_hung_up() -> None:
    assert not has_hung_up({})
