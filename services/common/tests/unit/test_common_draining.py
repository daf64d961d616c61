"""SIGTERM: open requests are answered, and new connections are refused at once instead of left waiting."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import urllib3
from dynabench_common.http.draining import drop_new_connections
from dynabench_common.testing import wait_until
from dynabench_local.preflight import free_port_base

APP = Path(__file__).with_name("draining_app.py")


@pytest.fixture
def first_is_stopped(tmp_path: Path) -> Path:
    path = tmp_path / "go.first"
    path.touch()
    return path


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    port = free_port_base(1)
    with subprocess.Popen(
        [sys.executable, str(APP), str(port), str(tmp_path / "go")], cwd=APP.parent
    ) as process:
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: answer(url + "/quick") == "quick", what="the app")
        yield process, url
        process.kill()


def answer(url: str) -> str:
    """Return the answer on a new connection, or the reason for none."""
    with urllib3.PoolManager(retries=False, timeout=20) as pool:
        try:
            return pool.request("GET", url).data.decode()
        except urllib3.exceptions.NewConnectionError:
            return "refused"
        except urllib3.exceptions.HTTPError as err:
            return type(err).__name__


def test_a_stop_refuses_whom_it_will_not_answer(
    served: tuple[subprocess.Popen[bytes], str], tmp_path: Path
) -> None:
    process, url = served
    with ThreadPoolExecutor(1) as pool:
        open_request = pool.submit(answer, url + "/slow")
        wait_until((tmp_path / "go.asked").exists, what="the slow request")
        process.send_signal(signal.SIGTERM)
        met = []
        while "refused" not in met:
            met.append(answer(url + "/quick"))
            assert met[-1] in {"quick", "refused"}
        (tmp_path / "go").touch()
        assert open_request.result() == "slow"
    assert process.wait(30) == 0


def test_a_process_stopped_before_it_listens_ends(
    first_is_stopped: Path, served: tuple[subprocess.Popen[bytes], str]
) -> None:
    process, url = served
    assert first_is_stopped.read_text() != answer(url + "/process")
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0


def test_a_listener_that_drops_requests_keeps_established_connections() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname()) as early,
    ):
        drop_new_connections(listener)
        early.sendall(b"waiting")
        with pytest.raises(TimeoutError):
            socket.create_connection(listener.getsockname(), timeout=0.3)
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.recv(7) == b"waiting"
