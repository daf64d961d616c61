"""Builds of the agent: a real one from end to end, and what a build is kept from, with a stand-in for the packaging."""

import errno
import hashlib
import os
import socket
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import psutil
import pytest
import yaml
from dynabench_archives.model_servers import BuildOrder, BuildState, BuildStatus, Fault
from dynabench_archives.starter import Starter, StarterExample, write_starter
from dynabench_common.http.client import JsonClient
from dynabench_common.settings import ObjectSettings
from dynabench_common.testing import SERVICE_TOKEN_DIGESTS, Issuer, service_token, wait_until
from model_agent.bootstrap import Dependencies
from model_agent.building.builds import Builds, unpack
from model_agent.building.enclosure import Enclosure
from model_agent.building.packaging import BuildFailed, BuildLimits, Packaging, Say
from model_agent.entrypoints.http.app import create_app
from model_agent.objects import ArchiveObjects
from model_agent.pools import Pools
from model_agent.settings import AgentSettings
from model_agent.store import ArchiveInUse, ArchiveStore
from registry.adapters.agent_client import AgentBuilder
from registry.domain.errors import AgentAway
from werkzeug.serving import make_server

ROOT = Path(__file__).resolve().parents[4]
SOURCES = (ROOT / "model-archives" / "src", ROOT / "services" / "tasks" / "src")
SERVING_PYTHON = ROOT / ".venv-serving" / "bin" / "python"
LABELS = ("negative", "neutral", "positive")
ROOMY = BuildLimits(seconds=600, memory_bytes=16_000_000_000, file_bytes=1_000_000_000)
PATIENCE_SECONDS = 300
NOTE = {
    "sha256": f"sha256:{'a' * 64}",
    "size": 5,
    "model_digest": "sha256:m",
    "handler_digest": "sha256:h",
    "fields": ["text"],
    "labels": list(LABELS),
}
# What the packaging would be: an interpreter, of which the tests decide what it does with `-m model_archives …`.
STAND_IN = """#!{python}
import json, os, pathlib, socket, subprocess, sys, time
options = dict(each[2:].split("=", 1) for each in sys.argv if each.startswith("--"))
out = pathlib.Path(options["store"])
checkpoint = pathlib.Path(sys.argv[4])

def build():
    out.mkdir(exist_ok=True)
    (out / (options["name"] + ".mar")).write_bytes(b"built")
    (out / (options["name"] + ".mar.json")).write_text(json.dumps({note!r}))

"""


RUNS_ONE_BUILD = """
import sys
from pathlib import Path
from uuid import uuid4
from model_agent.building.enclosure import Enclosure
from model_agent.building.packaging import BuildLimits, Packaging
from dynabench_archives.model_servers import BuildOrder

python, folder = Path(sys.argv[1]), Path(sys.argv[2])
order = BuildOrder(uuid4(), "", "", "mine-v1", "1", "text-classification", ("text",), ())
limits = BuildLimits(600, 16_000_000_000, 1_000_000)
Packaging(python, (), Enclosure(python, ()), limits).package(folder, folder, folder, order, print)
"""


def running(mark: str) -> list[int]:
    """Return the processes that sleep for so long."""
    return [each.pid for each in psutil.process_iter(["cmdline"]) if each.info["cmdline"] == ["sleep", mark]]


class Workshop:
    """Builds, with S3 behind them and a store before them."""

    def __init__(self, folder: Path, settings: ObjectSettings) -> None:
        self.folder = folder
        self.objects = ArchiveObjects(settings)
        self.store = ArchiveStore(folder / "store", self.objects, 10**9, frozenset)
        self.sent = b"what was sent"

    def stand_in(self, body: str) -> Path:
        """Return an interpreter that does what `body` says."""
        python = self.folder / "environment" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(STAND_IN.format(python="/usr/bin/python3", note=NOTE) + body)
        python.chmod(0o755)
        return python

    def open(
        self,
        python: Path,
        limits: BuildLimits = ROOMY,
        extract: Callable[[Path, Path, Say], None] = unpack,
        at_once: int = 1,
    ) -> Builds:
        packaging = Packaging(python, SOURCES, Enclosure(python, SOURCES), limits)
        return Builds(self.objects, self.store, packaging, extract, self.folder / "scratch", 10**9, at_once)

    def order(self, labels: tuple[str, ...] = LABELS) -> BuildOrder:
        source, key = self.folder / "sent.mar", f"submissions/{uuid4()}.mar"
        source.write_bytes(self.sent)
        self.objects.store(source, key)
        digest = f"sha256:{hashlib.sha256(self.sent).hexdigest()}"
        return BuildOrder(uuid4(), key, digest, "mine-v1", "1", "text-classification", ("text",), labels, 128)

    def built(self, builds: Builds, order: BuildOrder) -> BuildStatus:
        builds.start(order)
        return self.ended(builds, order)

    def ended(self, builds: Builds, order: BuildOrder) -> BuildStatus:
        def is_over() -> BuildStatus | None:
            status = builds.status(order.submission_id)
            assert status is not None
            return status if status.state is not BuildState.RUNNING else None

        status: BuildStatus = wait_until(is_over, PATIENCE_SECONDS, "the build to end")
        wait_until(
            lambda: not list((self.folder / "scratch").iterdir()), 30, "the scratch folder to be empty"
        )
        return status


def no_data(_source: Path, folder: Path, _say: Say) -> None:
    (folder / "model.safetensors").write_bytes(b"data")


@pytest.fixture
def workshop(tmp_path: Path, object_settings: ObjectSettings) -> Workshop:
    return Workshop(tmp_path, object_settings)


@pytest.fixture(scope="session")
def sent_archive(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A declarative archive as a person would package it: a small network over words."""
    folder = tmp_path_factory.mktemp("sent")
    entries = yaml.safe_load((ROOT / "model-archives" / "models.yaml").read_text())["models"]
    chosen = [entry for entry in entries if entry["name"] == "sentiment-words"]
    (folder / "models.yaml").write_text(yaml.safe_dump({"models": chosen}))
    command = [str(SERVING_PYTHON), "-m", "model_archives", "build", f"--store={folder}"]
    subprocess.run(
        [*command, f"--models={folder / 'models.yaml'}"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, SOURCES)), "OMP_NUM_THREADS": "1"},
        check=True,
        capture_output=True,
    )
    return (folder / "sentiment-words.mar").read_bytes()


@pytest.mark.long
@pytest.mark.timeout(2 * PATIENCE_SECONDS)
def test_a_declarative_archive_is_built_from_its_data(workshop: Workshop, sent_archive: bytes) -> None:
    workshop.sent = sent_archive
    builds, order = workshop.open(SERVING_PYTHON), workshop.order()
    status = workshop.built(builds, order)
    assert (status.state, status.reason) == (BuildState.DONE, None)
    archive = status.archive
    assert archive is not None
    made = (workshop.store.folder / archive.file).read_bytes()
    assert (archive.size, archive.sha256) == (len(made), f"sha256:{hashlib.sha256(made).hexdigest()}")
    kept = workshop.folder / "kept.mar"
    with kept.open("wb") as target:
        workshop.objects.fetch(str(archive.key), archive.sha256, target, archive.size, lambda _size: None)
    with zipfile.ZipFile(kept) as opened:
        assert {"model.safetensors", "model.onnx", "dynabench.json"} <= set(opened.namelist())
    assert any("same answers" in line for line in status.log)
    assert not any(str(workshop.folder) in line for line in status.log)
    builds.start(order)
    again = builds.status(order.submission_id)
    assert again is not None
    assert again.state is BuildState.DONE


@pytest.mark.slow
@pytest.mark.timeout(2 * PATIENCE_SECONDS)
def test_a_starter_model_is_built_from_its_examples(workshop: Workshop) -> None:
    examples = tuple(StarterExample((f"It sounds {label}.",), (label,)) for label in LABELS)
    starter = Starter("text-classification", ("text",), LABELS, examples)
    workshop.sent = write_starter(workshop.folder / "starter.mar", "starter", starter).path.read_bytes()
    status = workshop.built(workshop.open(SERVING_PYTHON), workshop.order())
    assert (status.state, status.reason) == (BuildState.DONE, None)
    assert any("fitting a starter model" in line for line in status.log)


def test_an_archive_with_code_is_not_built(workshop: Workshop) -> None:
    sent = workshop.folder / "code.mar"
    with zipfile.ZipFile(sent, "w") as entries:
        entries.writestr("handler.py", "print('hello')")
    workshop.sent = sent.read_bytes()
    status = workshop.built(workshop.open(workshop.stand_in("build()")), workshop.order())
    assert (status.state, status.fault) == (BuildState.FAILED, Fault.YOURS)
    assert "can't be built from data alone" in str(status.reason)


def test_what_s3_holds_must_be_what_was_checked(workshop: Workshop) -> None:
    order = workshop.order()
    builds = workshop.open(workshop.stand_in("build()"), extract=no_data)
    workshop.objects.store(Path(__file__), order.source_key)
    status = workshop.built(builds, order)
    assert (status.fault, order.source_digest in str(status.reason)) == (Fault.OURS, True)


def test_a_failed_build_is_made_again_when_it_is_asked_for(workshop: Workshop) -> None:
    tries: list[int] = []

    def fails_once(source: Path, folder: Path, say: Say) -> None:
        tries.append(1)
        if len(tries) == 1:
            raise BuildFailed(Fault.OURS, "the disk went away", "Run it again.")
        no_data(source, folder, say)

    builds, order = workshop.open(workshop.stand_in("build()"), extract=fails_once), workshop.order()
    status = workshop.built(builds, order)
    assert (status.reason, status.remedy) == ("the disk went away", "Run it again.")
    assert workshop.built(builds, order).state is BuildState.DONE
    workshop.built(builds, order)
    assert len(tries) == 2
    assert builds.status(uuid4()) is None
    builds.remove(order.submission_id)
    assert builds.status(order.submission_id) is None


def test_a_build_that_is_removed_ends_with_all_that_it_started(workshop: Workshop) -> None:
    mark = str(10_000 + os.getpid() % 9_000)
    body = f"subprocess.Popen(['sleep', '{mark}']); print('begun'); time.sleep(600)"
    builds, order = workshop.open(workshop.stand_in(body), extract=no_data), workshop.order()
    waiting = workshop.order()
    builds.start(order)
    builds.start(waiting)

    def has_begun() -> bool:
        status = builds.status(order.submission_id)
        return status is not None and "begun" in status.log

    wait_until(has_begun, PATIENCE_SECONDS, "the build to begin")
    for each in (waiting, order):
        with pytest.raises(ArchiveInUse, match="is being ended"):
            builds.remove(each.submission_id)
    for each in (order, waiting):
        status = workshop.ended(builds, each)
        assert (status.state, status.reason) == (BuildState.FAILED, "it was cancelled")
        builds.remove(each.submission_id)
        assert builds.status(each.submission_id) is None
    wait_until(lambda: not running(mark), PATIENCE_SECONDS, "the end of what the build started")


def test_several_builds_run_at_once(workshop: Workshop) -> None:
    meeting = threading.Barrier(2, timeout=PATIENCE_SECONDS)

    def meets(source: Path, folder: Path, say: Say) -> None:
        meeting.wait()
        no_data(source, folder, say)

    builds = workshop.open(workshop.stand_in("build()"), extract=meets, at_once=2)
    orders = [workshop.order() for _ in range(2)]
    for order in orders:
        builds.start(order)
    assert [workshop.ended(builds, order).state for order in orders] == [BuildState.DONE] * 2


def test_a_small_archive_may_take_little(tmp_path: Path) -> None:
    bounds = BuildLimits(1_200, 16_000_000_000, 1)
    assert (bounds.of(tmp_path).memory_bytes, bounds.of(tmp_path).processor_seconds) == (6_000_000_000, 180)
    with (tmp_path / "model.safetensors").open("wb") as weights:
        weights.truncate(10_000_000_000)
    assert (bounds.of(tmp_path).memory_bytes, bounds.of(tmp_path).processor_seconds) == (
        16_000_000_000,
        1_200,
    )


def test_builds_wait_for_one_another(workshop: Workshop) -> None:
    builds = workshop.open(workshop.stand_in("time.sleep(0.5); build()"), extract=no_data)
    orders = [workshop.order() for _ in range(3)]
    for order in orders:
        builds.start(order)
    statuses = [workshop.ended(builds, order) for order in orders]
    assert [status.state for status in statuses] == [BuildState.DONE] * 3
    assert "waits for 2 other builds" in statuses[2].log


def test_a_model_that_is_another_than_was_described_is_refused(workshop: Workshop) -> None:
    builds = workshop.open(workshop.stand_in("build()"), extract=no_data)
    status = workshop.built(builds, workshop.order(labels=("no", "yes")))
    assert (status.fault, "says labels" in str(status.reason)) == (Fault.YOURS, True)


@pytest.mark.parametrize(
    ("body", "limits", "fault", "reason"),
    [
        (
            "print('error: the weights are no numbers'); sys.exit(1)",
            {},
            Fault.YOURS,
            "the weights are no numbers",
        ),
        (
            "import errno; raise OSError(errno.ENOSPC, os.strerror(28))",
            {},
            Fault.OURS,
            "no room for the build",
        ),
        ("raise SystemExit(3)", {}, Fault.OURS, "ended with status 3"),
        ("{}[1]", {}, Fault.OURS, "ended with status 1: KeyError: 1"),
        (
            "x = bytearray(3_000_000_000)",
            {"memory_bytes": 2_000_000_000},
            Fault.YOURS,
            "more than 2 GB of memory",
        ),
        ("time.sleep(600)", {"seconds": 2.0}, Fault.YOURS, "was not over within 2 s"),
        ("while True: pass", {"seconds": 2.0}, Fault.YOURS, "was not over within 2 s"),
        (
            "subprocess.Popen(['sleep', '600']); time.sleep(600)",
            {"seconds": 2.0},
            Fault.YOURS,
            "was not over within 2 s",
        ),
        (
            "(checkpoint / 'big').write_bytes(bytes(2_000_000))",
            {"file_bytes": 1_000_000},
            Fault.OURS,
            "File too large",
        ),
    ],
)
def test_a_build_that_fails_says_whose_fault_it_is(
    workshop: Workshop, body: str, limits: dict[str, float], fault: Fault, reason: str
) -> None:
    bounds = BuildLimits(**{**vars(ROOMY), **limits})
    status = workshop.built(workshop.open(workshop.stand_in(body), bounds, no_data), workshop.order())
    assert status.state is BuildState.FAILED
    assert reason in str(status.reason)
    assert status.fault is fault


def test_a_disk_without_room_is_told_without_its_paths(workshop: Workshop) -> None:
    def full(_source: Path, folder: Path, _say: Say) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))

    status = workshop.built(workshop.open(workshop.stand_in("build()"), ROOMY, full), workshop.order())
    assert (status.state, status.fault) == (BuildState.FAILED, Fault.OURS)
    assert status.reason == "there is no room for the build on our disk"
    assert status.remedy


def test_a_build_sees_no_secret_no_network_and_no_other_file(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hidden value")
    secret = workshop.folder / "secrets.json"
    secret.write_text("hidden value")
    if not Enclosure(Path("/usr/bin/python3"), ()).is_closed:
        pytest.skip("bubblewrap is missing here, or may make no namespaces: builds are not enclosed")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        body = (
            "print(sorted(os.environ))\n"
            f"print('file', pathlib.Path({str(secret)!r}).exists(), pathlib.Path('/root').exists())\n"
            "print('processes', len([each for each in os.listdir('/proc') if each.isdigit()]))\n"
            f"print('network', socket.socket().connect_ex(('127.0.0.1', {port})) == 0)\n"
            "try:\n    pathlib.Path('/usr/here').write_text('x')\n    print('written')\n"
            "except OSError:\n    print('read only')\n"
            "build()\n"
        )
        status = workshop.built(workshop.open(workshop.stand_in(body), extract=no_data), workshop.order())
    assert status.state is BuildState.DONE
    assert not any("AWS" in line for line in status.log)
    assert {"file False False", "network False", "read only"} <= set(status.log)
    assert any(line in status.log for line in ("processes 1", "processes 2"))


def test_what_a_killed_agent_left_is_removed(workshop: Workshop) -> None:
    left = workshop.folder / "scratch" / "build-left"
    left.mkdir(parents=True)
    (left / "sent.mar").write_bytes(b"half")
    workshop.open(Path(sys.executable))
    assert not left.exists()


def test_the_checks_ask_over_http(
    workshop: Workshop, issuer: Issuer, object_settings: ObjectSettings
) -> None:
    builds = workshop.open(workshop.stand_in("print('same answers'); build()"), extract=no_data)
    needed = Dependencies(Pools({}), workshop.store, builds, lambda _: ())
    settings = AgentSettings(
        **object_settings.model_dump(),
        service_token=service_token("agent"),
        service_token_digests=SERVICE_TOKEN_DIGESTS,
        jwks_url="http://127.0.0.1:9/jwks",
        torchserve_management_url="http://127.0.0.1:9",
        torchserve_inference_url="http://127.0.0.1:9",
        torchserve_key_file=workshop.folder / "key_file.json",
        model_store=workshop.store.folder,
        serving_python=SERVING_PYTHON,
        packaging_sources="",
        build_folder=workshop.folder / "scratch",
    )
    server = make_server("127.0.0.1", 0, create_app(settings, needed, issuer.verifier()), threaded=True)
    builder = AgentBuilder(JsonClient(f"http://127.0.0.1:{server.port}", 10, service_token("registry")))
    stranger = AgentBuilder(JsonClient(f"http://127.0.0.1:{server.port}", 10))
    order = workshop.order()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        assert builder.status(order.submission_id) is None
        builder.start(order)
        workshop.ended(builds, order)
        status = builder.status(order.submission_id)
        assert status == builds.status(order.submission_id)
        assert status is not None
        assert status.archive is not None
        assert status.archive.sha256 == NOTE["sha256"]
        with pytest.raises(AgentAway, match="name"):
            builder.start(replace(order, submission_id=uuid4(), name="--store=elsewhere"))
        with pytest.raises(AgentAway, match="sign in"):
            stranger.status(order.submission_id)
    finally:
        server.shutdown()
        thread.join(30)
        server.server_close()
    with pytest.raises(AgentAway, match="does not answer"):
        builder.start(order)


def test_a_build_ends_with_the_agent(workshop: Workshop) -> None:
    mark = f"{uuid4().int % 10**9}.5"
    python = workshop.stand_in(f"subprocess.run(['sleep', {mark!r}])")
    agent = subprocess.Popen(
        [sys.executable, "-c", RUNS_ONE_BUILD, str(python), str(workshop.folder)], start_new_session=True
    )
    try:
        wait_until(lambda: running(mark), 60, "the build to run")
    finally:
        agent.kill()
        agent.wait(30)
    wait_until(lambda: not running(mark), 60, "the build to end with the agent")
