"""The search for TorchServe and a Java runtime."""

import sys
from pathlib import Path

import pytest
from dynabench_toolkit.local_models.serving_environment import NoServing, find_serving


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def serving(folder: Path) -> Path:
    """Make what looks like an environment with TorchServe; return its Python."""
    program(folder / "bin" / "torchserve")
    return program(folder / "bin" / "python")


@pytest.fixture
def java_home(tmp_path: Path) -> Path:
    return program(tmp_path / "java" / "bin" / "java").parents[1]


@pytest.fixture(autouse=True)
def somewhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "checkout" / ".venv"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))


def test_what_was_named_is_used(tmp_path: Path, java_home: Path) -> None:
    python = serving(tmp_path / "own")
    found = find_serving(python, java_home)
    assert (found.python, found.java_home, found.packaging) == (python, java_home, None)
    assert found.torchserve == python.with_name("torchserve")


def test_a_checkout_has_its_own(tmp_path: Path, java_home: Path) -> None:
    python = serving(tmp_path / "checkout" / ".venv-serving")
    packaging = tmp_path / "checkout" / "model-archives" / "src"
    packaging.mkdir(parents=True)
    found = find_serving(None, java_home)
    assert (found.python, found.packaging) == (python, packaging)


def test_a_packaging_tool_that_is_installed_is_found(tmp_path: Path, java_home: Path) -> None:
    python = serving(tmp_path / "own")
    packages = tmp_path / "own" / "lib" / "python3.11" / "site-packages"
    (packages / "model_archives").mkdir(parents=True)
    assert find_serving(python, java_home).packaging is None
    (packages / "model_archives" / "__main__.py").touch()
    assert find_serving(python, java_home).packaging == packages


def test_else_that_on_the_path_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, java_home: Path
) -> None:
    python = serving(tmp_path / "other")
    monkeypatch.setenv("PATH", str(python.parent))
    assert find_serving(None, java_home).python == python


def test_a_java_that_is_not_there_is_looked_for_elsewhere(tmp_path: Path) -> None:
    python = serving(tmp_path / "own")
    assert (find_serving(python, tmp_path / "gone").java_home / "bin" / "java").exists()


@pytest.mark.parametrize("named", ["elsewhere", None])
def test_without_a_torchserve_it_says_how_to_get_one(tmp_path: Path, named: str | None) -> None:
    with pytest.raises(NoServing, match="no TorchServe") as missing:
        find_serving(None if named is None else tmp_path / named / "python")
    assert "pip install torch torchserve" in missing.value.remedy
