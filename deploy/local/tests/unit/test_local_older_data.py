"""Data of a version before the first release is refused unchanged, and deleted only on request."""

from pathlib import Path

import pytest
from dynabench_local.cli import app
from dynabench_local.layout import Layout, checkout
from dynabench_local.stack import RELEASE_FILE, Stack
from typer.testing import CliRunner, Result


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a data folder as versions before the first release made them."""
    home = tmp_path / "home"
    Stack(Layout(checkout(), home, 21_000))
    (home / RELEASE_FILE).unlink()
    (home / "postgres").mkdir()
    (home / "postgres" / "rows").write_bytes(b"a round")
    monkeypatch.setenv("DYNABENCH_HOME", str(home))
    return home


def content(home: Path) -> dict[str, tuple[int, int, bytes]]:
    return {
        str(path): (status.st_mtime_ns, status.st_mode, path.read_bytes() if path.is_file() else b"")
        for path in sorted([home, *home.rglob("*")])
        for status in [path.stat()]
    }


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.mark.parametrize("command", ["up", "down", "status"])
def test_older_data_is_refused_and_no_byte_changes(home: Path, command: str) -> None:
    before = content(home)
    done = run(command)
    assert done.exit_code == 1
    assert "holds data of a version before 0.1.0" in done.output
    assert "make reset CONFIRM=yes" in done.output
    assert content(home) == before


def test_data_is_deleted_only_with_a_confirmation(home: Path) -> None:
    before = content(home)
    done = run("reset")
    assert (done.exit_code, content(home)) == (2, before)
    assert str(home) in done.output
    assert run("reset", "--confirm", "yes").exit_code == 0
    assert not home.exists()
    assert "holds no data" in run("reset", "--confirm", "yes").output


def test_a_folder_that_is_no_data_folder_is_never_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYNABENCH_HOME", str(tmp_path))
    (tmp_path / "letter").write_text("mine")
    assert "holds no data" in run("reset", "--confirm", "yes").output
    assert (tmp_path / "letter").exists()
