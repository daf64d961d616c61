"""More slow requests than a service has threads, while a normal one is answered."""

import contextlib
import select
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
import urllib3
import yaml
from dynabench_client import Dynabench
from dynabench_common.settings import ServiceSettings
from dynabench_local.layout import checkout

pytestmark = pytest.mark.slow

SERVICES = yaml.safe_load((checkout() / "deploy" / "routes.yaml").read_text())["api"]
SLOW_CLIENTS = ServiceSettings.model_fields["http_threads"].default + 8
ARRIVAL_SECONDS = 1.0
"""Time for the slow requests to arrive before the normal one."""
RECORD = "dead-letters/records/0192f5a0-0000-7000-8000-000000000001/discard"
WRITTEN = {
    "accounts": "/api/accounts/v1/sessions",
    "annotation": "/api/annotation/v1/tasks",
    "gateway": "/api/gateway/v1/models/anything:predict",
    **{
        name: f"/api/{name}/v1/{RECORD}"
        for name in ("validation", "leaderboard", "scoring", "registry", "crowd")
    },
    "web": "/sign-in",
}
READ = {**{name: f"/api/{name}/openapi.json" for name in SERVICES}, "web": "/"}
HEAD = (
    "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    "Authorization: Bearer {token}\r\n"
)
BEGINNINGS = {
    "header": HEAD + "X-Slow: a",
    "body": HEAD + "Content-Length: 1000\r\n\r\n{{",
    "pieces": HEAD + "Transfer-Encoding: chunked\r\n\r\n1\r\n{{\r\n",
}


@contextlib.contextmanager
def dribbling(port: int, beginning: str) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        connections = []
        for _ in range(SLOW_CLIENTS):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), 10))
            connection.sendall(beginning.encode())
            connections.append(connection)
        for connection in connections:
            connection.sendall(b"a" if "chunked" not in beginning else b"1\r\na\r\n")
        time.sleep(ARRIVAL_SECONDS)
        yield connections


@pytest.fixture(scope="module")
def token(platform: Any) -> str:
    """An administrator's token: without permission the request is refused before the body is read."""
    password = platform.sign_ins()["admin"]["password"]
    return Dynabench(platform.url).accounts.sign_in("admin", password).access_token


def test_every_public_service_is_tried() -> None:
    assert set(WRITTEN) == {*SERVICES, "web"}


@pytest.mark.parametrize("slow", BEGINNINGS)
@pytest.mark.parametrize("service", WRITTEN)
def test_an_honest_request_is_answered_while_slow_ones_are_open(
    platform: Any, token: str, service: str, slow: str
) -> None:
    port = platform.stack.layout.port("edge")
    beginning = BEGINNINGS[slow].format(path=WRITTEN[service], token=token)
    with dribbling(port, beginning) as connections:
        answer = urllib3.request("GET", platform.url + READ[service], timeout=30, retries=False)
        assert answer.status == 200
        assert select.select(connections, [], [], 0)[0] == []
