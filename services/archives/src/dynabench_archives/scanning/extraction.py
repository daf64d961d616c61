"""Extraction of single entries of a scanned archive."""

import hashlib
from pathlib import Path

from dynabench_archives.scanning.contents import DATA
from dynabench_archives.scanning.entry_reading import pieces
from dynabench_archives.scanning.report import PACKAGE_AGAIN, ArchiveRefused, ScanKind, ScanLimits, ScanReport
from dynabench_archives.scanning.zip_directory import read_directory

LIMITS = ScanLimits()


def extract_data(path: Path, report: ScanReport, folder: Path) -> None:
    """Write the data of a declarative archive, and nothing else of it, into an empty folder, under flat names.

    Raises ArchiveRefused for an archive with code, and where an entry is not what was scanned.
    """
    if report.kind is not ScanKind.DECLARATIVE:
        raise ArchiveRefused("code", "only archives of data alone are taken apart", PACKAGE_AGAIN)
    scanned = {entry.path: entry.sha256 for entry in report.entries}
    with path.open("rb") as file:
        for entry in read_directory(file, LIMITS):
            if entry.name not in DATA:
                continue
            digest = hashlib.sha256()
            with (folder / entry.name).open("xb") as target:
                for piece in pieces(file, entry):
                    digest.update(piece)
                    target.write(piece)
            if digest.hexdigest() != scanned.get(entry.name):
                raise ArchiveRefused("changed", "it is not what was scanned", PACKAGE_AGAIN, entry.name)


def read_text(path: Path, entry: str, most_bytes: int) -> str | None:
    """Return the text of an entry; None where there is none, it is larger, or no UTF-8 text."""
    try:
        with path.open("rb") as file:
            found = next((each for each in read_directory(file, LIMITS) if each.name == entry), None)
            if found is None or found.size > most_bytes:
                return None
            return b"".join(pieces(file, found)).decode("utf-8")
    except (ArchiveRefused, UnicodeDecodeError):
        return None
