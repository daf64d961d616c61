"""The digest that identifies a build."""

import sys
from pathlib import Path

import pytest
from leaderboard.entrypoints.http.representation import build_of


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "built_here"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "inner" / "rules.py").write_text("LIMIT = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "built_here", raising=False)
    return folder


def test_the_same_sources_are_the_same_build(package: Path) -> None:
    assert build_of("built_here") == build_of("built_here")


def test_a_changed_module_is_another_build(package: Path) -> None:
    before = build_of("built_here", "dynabench_common")
    (package / "inner" / "rules.py").write_text("LIMIT = 2\n")
    assert build_of("built_here", "dynabench_common") != before


def test_a_moved_module_is_another_build(package: Path) -> None:
    before = build_of("built_here")
    (package / "inner" / "rules.py").rename(package / "inner" / "limits.py")
    assert build_of("built_here") != before


def test_a_package_that_is_not_there_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match="built_elsewhere"):
        build_of("built_elsewhere")
