"""The next test run removes the remains of a killed one."""

import subprocess
from pathlib import Path

import psutil
from dynabench_local import launch, temporary


def folder(parent: Path, name: str) -> Path:
    made = parent / f"{temporary.PREFIX}{name}"
    made.mkdir()
    return made


def test_stacks_of_ended_owners_are_ended_and_removed(tmp_path: Path) -> None:
    abandoned, owned, unclaimed = (folder(tmp_path, name) for name in ("one", "two", "three"))
    owner = subprocess.Popen(["/bin/sleep", "60"])
    temporary.claim(abandoned, psutil.Process(owner.pid))
    temporary.claim(owned, psutil.Process())
    owner.kill()
    owner.wait()
    left = subprocess.Popen(["/bin/sleep", "60"], env={launch.MARKER: f"{abandoned}|kafka|"})
    temporary.remove_abandoned(tmp_path)
    assert left.wait() < 0
    assert not abandoned.exists()
    assert owned.exists()
    assert unclaimed.exists()
