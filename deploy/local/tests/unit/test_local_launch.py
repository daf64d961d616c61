"""A part's start ends processes left over from its previous run."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dynabench_local import launch

Begin = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def begin() -> Iterator[Begin]:
    begun: list[subprocess.Popen[bytes]] = []

    def start(program: str = "/bin/sleep", marker: str = "") -> "subprocess.Popen[bytes]":
        process = subprocess.Popen([program, "60"], env={launch.MARKER: marker})
        begun.append(process)
        while not Path(f"/proc/{process.pid}/environ").read_bytes():
            time.sleep(0.01)  # a program's environment becomes visible a moment after its start
        return process

    yield start
    for process in begun:
        process.kill()
        process.wait()


def test_only_processes_of_the_same_part_are_ended(tmp_path: Path, begin: Begin) -> None:
    own = begin(marker=f"{tmp_path}|kafka|")
    neighbour = begin(marker=f"{tmp_path}|postgres|")
    other_copy = begin(marker=f"{tmp_path}-two|kafka|")
    assert launch.end_left_over(f"{tmp_path}|kafka|", tmp_path) == 1
    assert own.wait() == -signal.SIGKILL
    assert neighbour.poll() is None
    assert other_copy.poll() is None


def test_a_program_from_the_parts_own_folder_is_ended_without_a_marker(tmp_path: Path, begin: Begin) -> None:
    shutil.copy("/bin/sleep", tmp_path / "sleep")
    process = begin(str(tmp_path / "sleep"))
    assert launch.end_left_over("no such marker", tmp_path) == 1
    assert process.wait() == -signal.SIGKILL


def test_the_launcher_becomes_the_command_of_its_plan(tmp_path: Path) -> None:
    (tmp_path / "stale.sock").touch()
    (tmp_path / "cache" / "old").mkdir(parents=True)
    plan = tmp_path / "plan.json"
    plan.write_text(
        json.dumps(
            {
                "command": ["/bin/sh", "-c", 'echo "$$ $COLOUR $PWD ${SECRET:-none}"'],
                "directory": str(tmp_path),
                "environment": {"COLOUR": "green", launch.MARKER: f"{tmp_path}|sample|"},
                "user": None,
                "remove_first": [str(tmp_path / "stale.sock"), str(tmp_path / "cache")],
            }
        )
    )
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", launch.__file__, str(plan)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "SECRET": "of the caller"},
    )
    lines, _ = process.communicate()
    assert lines.split() == [str(process.pid), "green", str(tmp_path), "none"]
    assert not (tmp_path / "stale.sock").exists()
    assert list((tmp_path / "cache").iterdir()) == []
