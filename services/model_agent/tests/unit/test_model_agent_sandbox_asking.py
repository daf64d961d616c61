"""Questions to a sandbox that answers as it likes."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from model_agent.errors import ModelServerAway, ModelServerRefused
from model_agent.sandbox.client import ask

PATIENCE_SECONDS = 90.0
MOST_BYTES = 100_000
Listen = Callable[[bytes, float], Path]


@pytest.fixture
def listen(tmp_path: Path) -> Iterator[Listen]:
    """Return a function that answers every connection with bytes, one by one where there is a pause between them."""
    path = tmp_path / "door.sock"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()

    def serve(answer: bytes, pause: float) -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection, suppress(OSError):
                    connection.recv(65_536)
                    size = 1 if pause else len(answer)
                    for start in range(0, len(answer), size or 1):
                        connection.sendall(answer[start : start + size])
                        threading.Event().wait(pause)

    def start(answer: bytes, pause: float = 0.0) -> Path:
        threading.Thread(target=serve, args=(answer, pause), daemon=True).start()
        return path

    yield start
    listener.close()


def whole(body: Any, status: str = "200 OK") -> bytes:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data


def question(door: Path, seconds: float = PATIENCE_SECONDS) -> Any:
    return ask(door, "GET", "/models/mini", None, seconds, MOST_BYTES)


def test_json_comes_back(listen: Listen) -> None:
    assert question(listen(whole({"a": [1]}), 0.0)) == {"a": [1]}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (whole({"message": "no\nsuch\x1b[31m model"}, "404 Not Found"), "status 404: no such \\[31m model"),
        (whole(b"<html>", "500 Broken"), "status 500"),
        (whole(b"[" * 90_000), "no JSON"),
        (whole(b"\xff"), "no JSON"),
        (b"SSH-2.0-OpenSSH\r\n", "no HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}", "no HTTP"),
        (whole(b" " * 200_000), "too long"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b" " * 200_000, "too long"),
        (b"HTTP/1.1 200 OK\r\n" + b"X-Fill: y\r\n" * 20_000, "no HTTP|too long"),
    ],
)
def test_anything_else_is_refused_with_the_reason(listen: Listen, answer: bytes, reason: str) -> None:
    with pytest.raises(ModelServerRefused, match=reason):
        question(listen(answer, 0.0))


def test_drips_end_at_the_time(listen: Listen) -> None:
    with pytest.raises(ModelServerRefused, match="no answer within"):
        question(listen(whole({}), 0.05), seconds=0.5)


def test_nobody_there(tmp_path: Path, listen: Listen) -> None:
    with pytest.raises(ModelServerAway):
        question(tmp_path / "nobody.sock")
    with pytest.raises(ModelServerAway):
        question(listen(b"", 0.0))
