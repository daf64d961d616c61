"""Folders of a killed worker are removed by the next one, and nobody else's."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from dynabench_common.working_folders import PREFIX, remove_abandoned, working_folder

KILLED = """
import os, tempfile
tempfile.tempdir = {place!r}
from dynabench_common.working_folders import working_folder
with working_folder() as folder:
    (folder / "rows").write_text("many")
    os._exit(9)
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_goes_when_its_work_is_done(place: Path) -> None:
    with working_folder() as folder:
        (folder / "rows").write_text("many")
        assert [folder] == list(place.iterdir())
    assert not list(place.iterdir())


def test_only_folders_of_processes_that_are_gone_are_removed(place: Path) -> None:
    (place / "something-else").mkdir()
    (place / f"{PREFIX}file").write_text("no folder")
    died = subprocess.run([sys.executable, "-c", KILLED.format(place=str(place))], check=False)
    assert died.returncode == 9
    assert len(list(place.iterdir())) == 3
    with working_folder() as folder:
        assert remove_abandoned() == 1
        assert folder.exists()
    assert {left.name for left in place.iterdir()} == {"something-else", f"{PREFIX}file"}
