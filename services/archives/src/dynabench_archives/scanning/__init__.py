"""Scan of an untrusted archive: nothing in it is run, and nothing is unpacked before it was checked.

An allow-list decides. An archive of weights, tokenizer and configuration alone is declarative, and the platform builds
what it serves from these; everything else makes it an archive with code. Other checks only add notes for the person
who decides on it.
"""

from dynabench_archives.scanning.extraction import extract_data, read_text
from dynabench_archives.scanning.report import (
    ArchiveDescription,
    EntryKind,
    EntryReport,
    Finding,
    ScanKind,
    ScanLimits,
    ScanReport,
)
from dynabench_archives.scanning.scan import open_archive, scan_archive

__all__ = [
    "ArchiveDescription",
    "EntryKind",
    "EntryReport",
    "Finding",
    "ScanKind",
    "ScanLimits",
    "ScanReport",
    "extract_data",
    "open_archive",
    "read_text",
    "scan_archive",
]
