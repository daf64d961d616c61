"""Archives are built once for a checkout and brought into each stack's own store."""

import os
from pathlib import Path

import pytest
from dynabench_local.torchserve import bring


@pytest.fixture
def built(tmp_path: Path) -> Path:
    path = tmp_path / "built.mar"
    path.write_bytes(b"one")
    return path


def test_an_archive_is_brought_as_the_same_file(built: Path, tmp_path: Path) -> None:
    target = tmp_path / "store.mar"
    bring(built, target)
    bring(built, target)
    assert target.samefile(built)


def test_a_newer_archive_takes_the_place_of_the_older(built: Path, tmp_path: Path) -> None:
    target = tmp_path / "store.mar"
    bring(built, target)
    newer = tmp_path / "newer.mar"
    newer.write_bytes(b"two")
    newer.replace(built)
    assert target.read_bytes() == b"one"
    bring(built, target)
    assert target.read_bytes() == b"two"


def test_where_files_cant_be_shared_a_copy_is_made_once(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_paths: object) -> None:
        raise OSError("another file system")

    monkeypatch.setattr(os, "link", refuse)
    target = tmp_path / "store.mar"
    bring(built, target)
    first = target.stat().st_ino
    bring(built, target)
    assert (target.read_bytes(), target.stat().st_ino) == (b"one", first)
    assert not list(tmp_path.glob("*.partial"))
