"""One run of a pod: what its first program answers, and what the cluster did to it."""

import socket
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import pytest
from model_agent.sandbox import pod_run
from model_agent.sandbox.backend import Obstacle
from model_agent.sandbox.cluster import Seen
from model_agent.sandbox.pod_run import OPEN_NETWORK, PodRun, Surroundings


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> socket.socket:
    listener = socket.create_server(("127.0.0.1", 0))
    monkeypatch.setattr(pod_run, "LIFELINE_PORT", listener.getsockname()[1])
    return listener


RUNS = Seen(address="127.0.0.1", is_running=True)


class FirstProgram:
    """Stands for a pod and answers at its lifeline as the test says: first what it reached, then each question."""

    def __init__(self, listener: socket.socket, answers: list[bytes]) -> None:
        self._listener = listener
        self._answers = answers
        self.seen: Seen | None = RUNS
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError), self._listener, self._listener.accept()[0] as caller:
            for answer in self._answers:
                caller.recv(4_096)
                caller.sendall(answer)
            caller.recv(4_096)

    def create(self, manifest: Mapping[str, Any]) -> None:
        pass

    def see(self, name: str) -> Seen | None:
        return self.seen

    def printed(self, name: str, last_bytes: int) -> str:
        return ""

    def names(self, labels: Mapping[str, str]) -> Sequence[str]:
        return []

    def delete(self, name: str) -> None:
        pass


def run_of(cluster: FirstProgram, opened: list[str] | None = None) -> PodRun:
    surroundings = Surroundings(cluster, 10, set(), (opened if opened is not None else []).append)
    return PodRun(surroundings, {"metadata": {"name": "one"}}, "key", None, 1)


SHUT = b'{"reached": []}\n'
WELL = b'{"peak_bytes": 5, "kills": 0, "tasks": 9}\n'


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([SHUT, WELL], None),
        ([SHUT, WELL.replace(b"9", b"11")], "it started too many processes"),
        ([SHUT, WELL.replace(b"0", b"1")], "it ran out of memory"),
        ([b"x" * 20_000], "its first program does not take the archive: its answer is too long"),
        ([b"[]\n"], "its first program does not take the archive: its answer is no object"),
    ],
)
def test_what_a_first_program_answers(
    listener: socket.socket, answers: list[bytes], reason: str | None
) -> None:
    cluster = FirstProgram(listener, answers)
    run = run_of(cluster)
    said = [run.look() for _ in range(len(answers))]
    run.end()
    assert said[-1] == reason
    assert run.peak_bytes() == (5 if len(answers) > 1 else None)
    assert run.look() == "it was to end"


@pytest.mark.parametrize(
    ("answers", "then", "obstacle"),
    [
        ([b'{"reached": ["10.0.0.1 port 443"]}\n'], RUNS, f"{OPEN_NETWORK} (10.0.0.1 port 443)"),
        ([SHUT], None, "its pod was removed by somebody else"),
        (
            [SHUT],
            Seen(ended="The node was low on memory.", was_taken_away=True),
            "its pod was taken away: The node was low on memory.",
        ),
    ],
)
def test_what_the_archive_did_not_do_is_no_end_of_its_making(
    listener: socket.socket, answers: list[bytes], then: Seen | None, obstacle: str
) -> None:
    cluster = FirstProgram(listener, answers)
    opened: list[str] = []
    run = run_of(cluster, opened)
    with pytest.raises(Obstacle) as raised:
        for _ in range(2):
            assert run.look() is None
            cluster.seen = then
    assert str(raised.value) == obstacle
    assert opened == ([obstacle] if OPEN_NETWORK in obstacle else [])
    run.end()
