"""Sandboxes in pods, with the first program of a pod as a process of this machine and a small server for TorchServe."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from dynabench_archives.model_servers import Registration
from dynabench_common.testing import wait_until
from model_agent.errors import ArchiveOnItsWay, ModelServerRefused
from model_agent.sandbox import PodBackend, Sandboxes, SandboxLimits, pod_run, pods
from model_agent.sandbox.cluster import PodsRefused, Seen
from model_agent.sandbox.pod_run import OPEN_NETWORK
from registry.domain.plan import GiveUp, Register, plan
from registry.domain.registration_records import RegistrationRecord

from .test_model_agent_sandbox_turns import wanted

PATIENCE_SECONDS = 60
PORTS = range(20_000, 32_000)
TORCHSERVE = """
    import ctypes, json, os, socketserver, sys, threading
    from http.server import BaseHTTPRequestHandler

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if b"end" in body:
                os._exit(7)
            digests = {"model_digest": "sha256:m", "handler_digest": "sha256:h"}
            answer = (
                {"predictions": [{"label": "yes"}], **digests}
                if self.path.startswith("/predictions/")
                else [{"workers": [{"pid": 5, "status": "READY"}]}]
            )
            data = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_POST = do_GET

        def address_string(self):
            return "sandbox"

    ctypes.CDLL(None).prctl(15, b"\\xff\\xfe")  # a name that is no text
    print(f"x [INFO ] MODEL_LOG - {open(sys.argv[1]).read()}", file=sys.stderr, flush=True)
    for path in sys.argv[2:]:
        server = socketserver.ThreadingUnixStreamServer(path, Answers)
        threading.Thread(target=server.serve_forever, args=(0.02,)).start()
"""
TEMPLATE: dict[str, Any] = {
    "metadata": {"name": "sample", "namespace": "strangers", "labels": {"app": "sandbox"}},
    "spec": {"securityContext": {"runAsUser": 64_100}, "containers": [{"name": "sandbox"}]},
}


class PodsHere:
    """Runs the first program of each pod as a process of this machine, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made: dict[str, Mapping[str, Any]] = {}
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.left: list[str] = []
        self.refuses = False
        self.removes = True
        self.torchserve = textwrap.dedent(TORCHSERVE)
        self.slow: threading.Event | None = None
        self.waiting = False

    def create(self, manifest: Mapping[str, Any]) -> None:
        if self.refuses:
            raise PodsRefused("the cluster refuses with 403: pods is forbidden")
        if self.slow is not None:
            self.waiting = True
            self.slow.wait(PATIENCE_SECONDS)
            self.waiting = False
        name = manifest["metadata"]["name"]
        inside = self.folder / name
        inside.mkdir()
        [container] = manifest["spec"]["containers"]
        told = json.loads(container["args"][0].replace("/tmp/", f"{inside}/"))
        sockets = [endpoint["socket"] for endpoint in told["endpoints"]]
        program = [sys.executable, "-c", self.torchserve, told["pod"]["archive"], *sockets]
        told.update(command=program, bounds={}, environment={"PATH": os.environ["PATH"]})
        told["pod"]["shut_seconds"] = 0
        program_text = container["command"][-1].replace(
            "AGAIN_SECONDS = 2.0, 1.0, 15.0", "AGAIN_SECONDS = 2.0, 0.0, 0.2"
        )
        command = [sys.executable, *container["command"][1:-1], program_text, json.dumps(told)]
        with (inside / "log").open("wb") as log:
            self.running[name] = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        self.made[name] = manifest

    def see(self, name: str) -> Seen | None:
        process = self.running.get(name)
        if process is None:
            return None
        status = process.poll()
        ended = None if status is None else f"it ended by itself with status {status}"
        return Seen(address="127.0.0.1", is_running=status is None, ended=ended, status=status)

    def printed(self, name: str, last_bytes: int) -> str:
        return (self.folder / name / "log").read_text()[-last_bytes:]

    def names(self, labels: Mapping[str, str]) -> Sequence[str]:
        assert labels == {"app": "sandbox"}
        return self.left

    def delete(self, name: str) -> None:
        if name in self.left:
            self.left.remove(name)
        if not self.removes:
            raise PodsRefused("the cluster does not answer")
        process = self.running.pop(name, None)
        if process is not None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # what a pod's end does to all that is in it
            process.wait()

    def close(self) -> None:
        self.removes = True
        for name in list(self.running):
            self.delete(name)


def free_port() -> int:
    """Return a port that no outgoing connection of another test is given meanwhile."""
    while True:
        with suppress(OSError), socket.create_server(("", port := random.choice(PORTS))):
            return port


@pytest.fixture(autouse=True)
def _own_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    monkeypatch.setattr(pod_run, "LIFELINE_PORT", port)
    monkeypatch.setattr(pods, "LIFELINE_PORT", port)
    monkeypatch.setattr(pods, "PORTS", {"inference": free_port(), "management": free_port()})


@pytest.fixture
def here() -> Iterator[PodsHere]:
    with tempfile.TemporaryDirectory() as folder:  # short enough for sockets in it
        here = PodsHere(Path(folder))
        yield here
        here.close()


@pytest.fixture
def boxed(here: PodsHere, tmp_path: Path) -> Iterator[Callable[..., Sandboxes]]:
    (tmp_path / "a.mar").write_text("the archive")
    made: list[Sandboxes] = []

    def make(forbidden: int | None = None, **limits: Any) -> Sandboxes:
        # Here a pod sees every process of this machine.
        bounds = SandboxLimits(**{"processes": 1_000_000, **limits})
        backend = PodBackend(here, TEMPLATE, tmp_path, [("127.0.0.1", forbidden or free_port())], bounds)
        made.append(Sandboxes(backend))
        return made[-1]

    yield make
    for each in made:
        each.close()


WANTED = wanted("a")


def verdict(boxes: Sandboxes) -> str | None:
    """Return what came of the trial of the backend."""
    while True:
        try:
            return boxes.can_isolate()
        except ArchiveOnItsWay:
            continue


def register(boxes: Sandboxes) -> None:
    assert verdict(boxes) is None
    boxes.register(WANTED)


def wait_until_ready(boxes: Sandboxes) -> int:
    """Return the number of the worker that is ready."""
    wait_until(lambda: boxes.served()["a"].ready_workers == 1, PATIENCE_SECONDS, "a ready worker")
    return boxes.served()["a"].workers[0].pid


def test_a_pod_gets_its_archive_and_answers_at_its_address(
    boxed: Callable[..., Sandboxes], here: PodsHere
) -> None:
    boxes = boxed()
    register(boxes)
    wait_until_ready(boxes)
    assert boxes.probe(WANTED) == ("sha256:m", "sha256:h")
    assert boxes.address("a") == f"http://127.0.0.1:{pods.PORTS['inference']}"
    assert (boxes.served()["a"].workers[0].peak_bytes or 0) > 1_000_000
    wait_until(lambda: boxes.last_lines("a") == ("the archive",), PATIENCE_SECONDS, "what it printed")
    boxes.unregister("a")
    assert boxes.address("a") is None
    wait_until(lambda: not here.running, PATIENCE_SECONDS, "the pod's removal")
    assert boxes.last_lines("a") == ("the archive",)


def test_pods_have_users_and_keys_of_their_own(boxed: Callable[..., Sandboxes], here: PodsHere) -> None:
    boxes = boxed()
    register(boxes)
    wait_until_ready(boxes)
    trial, first, *_ = here.made.values()
    assert [each["spec"]["securityContext"]["runAsUser"] for each in (trial, first)] == [64_104, 64_100]
    keys = {json.loads(each["spec"]["containers"][0]["args"][0])["pod"]["key"] for each in (trial, first)}
    assert len(keys) == 2
    assert TEMPLATE["spec"]["containers"] == [{"name": "sandbox"}], "the template itself is left as it was"


@pytest.mark.long
def test_what_ends_begins_anew_with_another_worker(boxed: Callable[..., Sandboxes]) -> None:
    boxes = boxed()
    register(boxes)
    before = wait_until_ready(boxes)
    ending = Registration(**{**vars(WANTED), "fields": ("end",)})
    with pytest.raises(ModelServerRefused):
        boxes.probe(ending)
    wait_until(
        lambda: boxes.served()["a"].ready_workers and boxes.served()["a"].workers[0].pid != before,
        PATIENCE_SECONDS,
        "another worker",
    )


def test_a_pod_ends_with_its_lifeline(boxed: Callable[..., Sandboxes], here: PodsHere) -> None:
    boxes = boxed()
    register(boxes)
    wait_until_ready(boxes)
    [process] = here.running.values()
    here.removes = False
    boxes.unregister("a")
    assert process.wait(PATIENCE_SECONDS) == 1


def test_an_open_network_refuses_every_archive(boxed: Callable[..., Sandboxes], here: PodsHere) -> None:
    with socket.create_server(("127.0.0.1", 0)) as reachable:
        port = reachable.getsockname()[1]
        boxes = boxed(forbidden=port)
        assert verdict(boxes) == f"{OPEN_NETWORK} (127.0.0.1 port {port})"
        with pytest.raises(ModelServerRefused, match="the network is open to sandboxes"):
            boxes.register(WANTED)
    assert boxes.served() == {}
    assert len(here.made) == 1
    wait_until(lambda: not here.running, PATIENCE_SECONDS, "the trial's removal")


@pytest.mark.long
def test_a_network_that_opens_later_ends_the_pod_and_refuses_archives(
    boxed: Callable[..., Sandboxes], monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    boxes = boxed(forbidden=port)
    register(boxes)
    wait_until_ready(boxes)
    with socket.create_server(("127.0.0.1", port)):
        wait_until(lambda: OPEN_NETWORK in boxes.served()["a"].waits_for, PATIENCE_SECONDS, "the pod's end")
        assert boxes.served()["a"].workers == ()
        assert OPEN_NETWORK in str(verdict(boxes))
    monkeypatch.setattr(pods, "AGAIN_SECONDS", 0.0)
    wait_until(lambda: verdict(boxes) is None, PATIENCE_SECONDS, "a trial that passes")
    wait_until_ready(boxes)
    assert boxes.served()["a"].waits_for == ""


def test_a_pod_that_was_asked_for_later_is_the_one_that_counts(
    boxed: Callable[..., Sandboxes], here: PodsHere
) -> None:
    boxes = boxed()
    assert verdict(boxes) is None
    here.slow = threading.Event()
    boxes.register(WANTED)
    wait_until(lambda: here.waiting, PATIENCE_SECONDS, "a cluster that takes its time")
    slow, here.slow = here.slow, None
    boxes.scale("a", 0)
    boxes.scale("a", 1)
    wait_until_ready(boxes)
    address = boxes.address("a")
    slow.set()
    wait_until(lambda: len(here.running) == 1 and not here.waiting, PATIENCE_SECONDS, "the end of the first")
    assert boxes.address("a") == address
    assert boxes.served()["a"].ready_workers == 1


@pytest.mark.long
def test_an_archive_that_ends_its_sandbox_is_counted(boxed: Callable[..., Sandboxes], here: PodsHere) -> None:
    """It is given up after a few starts, though each of them waits for the cluster first."""
    boxes = boxed()
    assert verdict(boxes) is None
    here.torchserve = "raise SystemExit(7)"
    record = RegistrationRecord()
    records = {"a": record}

    def given_up() -> bool:
        actions = plan([WANTED], boxes.served(), records, time.monotonic(), 10_000)
        for each in actions:
            if isinstance(each, Register):
                boxes.register(each.wanted)
                record.began("a", time.monotonic())
        return any(isinstance(each, GiveUp) and "its workers end" in each.why for each in actions)

    wait_until(given_up, PATIENCE_SECONDS, "that it is given up")


def test_what_a_cluster_would_not_remove_is_removed_later(
    boxed: Callable[..., Sandboxes], here: PodsHere
) -> None:
    boxes = boxed()
    register(boxes)
    wait_until_ready(boxes)
    here.removes = False
    boxes.scale("a", 0)
    [left] = here.running
    wait_until(lambda: here.running[left].poll() is not None, PATIENCE_SECONDS, "its end by itself")
    here.removes = True
    boxes.scale("a", 1)
    wait_until(lambda: left not in here.running, PATIENCE_SECONDS, "its removal")
    wait_until_ready(boxes)


def test_what_a_cluster_refuses_is_said(boxed: Callable[..., Sandboxes], here: PodsHere) -> None:
    here.refuses = True
    assert verdict(boxed()) == "the cluster refuses with 403: pods is forbidden"


def test_pods_of_an_earlier_agent_are_ended_first(boxed: Callable[..., Sandboxes], here: PodsHere) -> None:
    here.left = ["sample-old"]
    assert verdict(boxed()) is None
    assert here.left == []


def test_an_archive_that_does_not_fit_is_refused(boxed: Callable[..., Sandboxes]) -> None:
    with pytest.raises(ModelServerRefused, match="archive and what it holds must fit into 5"):
        boxed(disk_bytes=5).register(WANTED)


def test_who_does_not_know_the_key_brings_nothing(boxed: Callable[..., Sandboxes], here: PodsHere) -> None:
    """A stranger's bytes at the lifeline's port are dropped, and the agent's archive still comes."""
    boxes = boxed()
    assert verdict(boxes) is None
    boxes.register(WANTED)

    def probe() -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", pod_run.LIFELINE_PORT), 1) as caller:
            caller.sendall(b"0" * 32 + b"\n3\nbad")
            caller.recv(1)
        return boxes.served()["a"].ready_workers == 1

    wait_until(probe, PATIENCE_SECONDS, "a ready worker in spite of it")
    wait_until(lambda: boxes.last_lines("a") == ("the archive",), PATIENCE_SECONDS, "what it printed")


def test_while_a_cluster_makes_no_pod_nothing_is_counted_against_the_archive(
    boxed: Callable[..., Sandboxes], here: PodsHere
) -> None:
    boxes = boxed()
    assert verdict(boxes) is None
    here.refuses = True
    boxes.register(WANTED)
    reason = "the cluster refuses with 403: pods is forbidden"
    wait_until(lambda: boxes.served()["a"].waits_for == reason, PATIENCE_SECONDS, "the obstacle")
    assert boxes.served()["a"].workers == ()
    here.refuses = False
    wait_until_ready(boxes)
    assert boxes.served()["a"].waits_for == ""
