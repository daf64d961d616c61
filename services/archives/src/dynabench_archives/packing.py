"""Packing: a folder's files as an archive whose bytes depend on names and contents alone.

Entries are sorted, undated, stored and readable by all. Links and devices are refused, since their meaning differs from
machine to machine. The result is scanned before it gets its name, so no archive is made that the platform would refuse
to open.
"""

import os
import shutil
import stat
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from dynabench_archives.digests import PIECE_BYTES, Content, hex_digest
from dynabench_archives.scanning import ScanLimits, ScanReport, scan_archive
from dynabench_archives.scanning.contents import is_left_by_a_system
from dynabench_archives.scanning.report import ArchiveRefused
from dynabench_archives.scanning.zip_directory import check_names

EPOCH = (1980, 1, 1, 0, 0, 0)
READABLE_FILE = (stat.S_IFREG | 0o644) << 16
UNIX = 3
LEFT_OUT_FOLDERS = frozenset({"__pycache__", "__MACOSX", "node_modules", "venv"})
LEFT_OUT_SUFFIXES = (".mar", ".mar.sig", ".pyc")


class PackingRefused(Exception):
    """A file can't be packed: which one, why, and what to do about it."""

    def __init__(self, path: str, reason: str, remedy: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason
        self.remedy = remedy


@dataclass(frozen=True)
class Packed:
    """An archive that was written: size in bytes, digest of its bytes, and the scan's report."""

    path: Path
    size: int
    digest: str
    report: ScanReport


def find_files(folder: Path) -> dict[str, Path]:
    """Return the files of a folder by their paths in an archive, sorted.

    Hidden files, caches of Python and archives are left out. Raises PackingRefused for links, for what is no regular
    file, and for names that an archive can't hold.
    """
    found = {_normalised(path.relative_to(folder)): path for path in _walk(folder)}
    _ensure_names(found)
    return dict(sorted(found.items()))


def write_archive(path: Path, entries: Mapping[str, Content], digests: Mapping[str, str]) -> Packed:
    """Write an archive; the file gets its name once it is complete and scanned.

    `digests` are the expected hex sha256 of entries by path. Raises PackingRefused if a name can't be packed, a file
    no longer matches its digest, or the scan refuses the archive.
    """
    _ensure_names(entries)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        _write(partial, entries)
        report = scan_archive(partial, ScanLimits())
        _ensure_good(path, report, digests)
        packed = Packed(path, partial.stat().st_size, f"sha256:{hex_digest(partial)}", report)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return packed


def _walk(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        is_passed_over = path.name.startswith(".") or path.name.endswith(LEFT_OUT_SUFFIXES)
        if is_passed_over or is_left_by_a_system(path.name):
            continue
        mode = path.lstat().st_mode
        shown = str(path)
        if stat.S_ISLNK(mode):
            raise PackingRefused(shown, "it is a link", "Put the file itself in its place.")
        if stat.S_ISDIR(mode):
            if path.name not in LEFT_OUT_FOLDERS:
                yield from _walk(path)
        elif stat.S_ISREG(mode):
            yield path
        else:
            raise PackingRefused(shown, "it is no regular file", "Move it out of the folder.")


def _normalised(relative: Path) -> str:
    return unicodedata.normalize("NFC", PurePosixPath(*relative.parts).as_posix())


def _ensure_names(names: Mapping[str, object]) -> None:
    try:
        check_names(list(names), ScanLimits())
    except ArchiveRefused as err:
        finding = err.finding
        raise PackingRefused(finding.path or "", finding.reason, finding.remedy) from err


def _write(path: Path, entries: Mapping[str, Content]) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
    with os.fdopen(descriptor, "w+b") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(entries):
            content = entries[name]
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system, entry.external_attr = UNIX, READABLE_FILE
            # Set beforehand, so that an entry of over 2 GB gets a header that can hold its size.
            entry.file_size = len(content) if isinstance(content, bytes) else content.stat().st_size
            with archive.open(entry, "w") as target:
                _copy(content, target)


def _copy(content: Content, target: IO[bytes]) -> None:
    if isinstance(content, bytes):
        target.write(content)
        return
    with content.open("rb") as source:
        shutil.copyfileobj(source, target, PIECE_BYTES)


def _ensure_good(path: Path, report: ScanReport, digests: Mapping[str, str]) -> None:
    for finding in report.findings:
        if finding.is_refusal:
            raise PackingRefused(finding.path or path.name, finding.reason, finding.remedy)
    written = {entry.path: entry.sha256 for entry in report.entries}
    for name, digest in digests.items():
        if written.get(name) != digest:
            raise _changed(name)


def _changed(name: str) -> PackingRefused:
    return PackingRefused(
        name, "it changed while it was packed", "Package it again once nothing writes to it."
    )
