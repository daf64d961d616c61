"""Packing: equal files give equal bytes anywhere, and anything but plain files of the folder is refused."""

import os
import shutil
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from dynabench_archives.digests import Content, content_digest, file_digest, hex_digest
from dynabench_archives.packing import Packed, PackingRefused, find_files, write_archive
from dynabench_archives.scanning import ScanKind

from tests import hostile_archives as hostile

ROOT = Path(__file__).resolve().parents[3]
FILES: Mapping[str, bytes] = {
    "dynabench.json": hostile.description(),
    "handler.py": b"def handle(data, context): ...\n",
    "parts/words.json": b"{}",
    "parts/deeper/more.txt": "ä".encode(),
}


def write(folder: Path, files: Mapping[str, bytes] = FILES) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def pack(folder: Path, archive: Path) -> Packed:
    entries: dict[str, Content] = {**find_files(folder), hostile.MANIFEST: hostile.manifest("handler.py")}
    return write_archive(archive, entries, {})


def test_the_same_files_give_the_same_bytes_from_anywhere(tmp_path: Path) -> None:
    first = pack(write(tmp_path / "one"), tmp_path / "first.mar")
    other = tmp_path / "far" / "away" / "other"
    before = os.umask(0o077)
    try:
        write(other, dict(sorted(FILES.items(), reverse=True)))
        (other / "handler.py").chmod(0o755)
        os.utime(other / "handler.py", (1, 1))
        second = pack(other, tmp_path / "second.mar")
    finally:
        os.umask(before)
    assert first.path.read_bytes() == second.path.read_bytes()
    assert first.digest == second.digest == file_digest(second.path)
    assert first.size == second.path.stat().st_size
    assert first.report.kind is ScanKind.CODE


def test_entries_are_sorted_undated_stored_and_readable_by_all(tmp_path: Path) -> None:
    packed = pack(write(tmp_path / "model"), tmp_path / "model.mar")
    with zipfile.ZipFile(packed.path) as archive:
        entries = archive.infolist()
    names = [entry.filename for entry in entries]
    assert names == sorted([*FILES, hostile.MANIFEST])
    for entry in entries:
        assert entry.date_time == (1980, 1, 1, 0, 0, 0)
        assert entry.compress_type == zipfile.ZIP_STORED
        assert entry.external_attr >> 16 == 0o100644


def test_hidden_files_caches_and_archives_are_left_out(tmp_path: Path) -> None:
    write(
        tmp_path, {".env": b"secret", ".git/config": b"", "__pycache__/x.pyc": b"", "old.mar": b"", "a": b""}
    )
    assert list(find_files(tmp_path)) == ["a"]


def link_to_a_file(folder: Path) -> None:
    (folder / "bad").symlink_to(folder / "handler.py")


def link_to_a_folder(folder: Path) -> None:
    (folder / "bad").symlink_to(folder.parent)


def link_to_nothing(folder: Path) -> None:
    (folder / "bad").symlink_to("nothing")


def pipe(folder: Path) -> None:
    os.mkfifo(folder / "bad")


def name_beyond_ascii(folder: Path) -> None:
    (folder / "bäd").write_bytes(b"")


def name_that_windows_keeps_for_itself(folder: Path) -> None:
    (folder / "aux.txt").write_bytes(b"")


def names_that_differ_in_case(folder: Path) -> None:
    (folder / "Handler.py").write_bytes(b"")


@pytest.mark.parametrize(
    "spoil",
    [
        link_to_a_file,
        link_to_a_folder,
        link_to_nothing,
        pipe,
        name_beyond_ascii,
        name_that_windows_keeps_for_itself,
        names_that_differ_in_case,
    ],
)
def test_what_differs_between_machines_is_refused_with_a_remedy(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    folder = write(tmp_path / "model")
    spoil(folder)
    with pytest.raises(PackingRefused) as refused:
        find_files(folder)
    assert refused.value.path
    assert refused.value.reason
    assert refused.value.remedy.endswith(".")


def test_what_the_scan_refuses_is_not_written(tmp_path: Path) -> None:
    archive = tmp_path / "model.mar"
    with pytest.raises(PackingRefused, match=r"no dynabench\.json"):
        write_archive(archive, {"handler.py": b"", hostile.MANIFEST: hostile.manifest("handler.py")}, {})
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_changed_since_its_digest_was_taken_is_refused(tmp_path: Path) -> None:
    files = find_files(write(tmp_path / "model"))
    entries: dict[str, Content] = {**files, hostile.MANIFEST: hostile.manifest("handler.py")}
    digests = {name: hex_digest(path) for name, path in files.items()}
    (tmp_path / "model" / "handler.py").write_bytes(b"other")
    with pytest.raises(PackingRefused, match="it changed while it was packed"):
        write_archive(tmp_path / "model.mar", entries, digests)
    assert not (tmp_path / "model.mar").exists()


def test_digests_are_those_of_the_packaging_tool(tmp_path: Path) -> None:
    sys.path.insert(0, str(ROOT / "model-archives" / "src"))
    from model_archives import digests

    shutil.copytree(write(tmp_path / "model"), tmp_path / "copy")
    files = find_files(tmp_path / "model")
    theirs = digests.content_digest(find_files(tmp_path / "copy"))
    assert content_digest({name: hex_digest(path) for name, path in files.items()}) == theirs
    assert file_digest(files["handler.py"]) == digests.file_digest(files["handler.py"])
