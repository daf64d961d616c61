"""Limits on submissions."""

from dataclasses import dataclass
from datetime import timedelta

SMALLEST_PART_BYTES = 8 * 1024 * 1024
MOST_PARTS = 9_000
"""S3 takes 10,000."""
MOST_DRAFTS = 20
DAY = timedelta(days=1)
ADDRESS_SECONDS = 3_600
DRAFT_LIFE = timedelta(days=3)
"""After which an upload that nobody ended is removed."""


@dataclass(frozen=True)
class Limits:
    """The settings of submissions."""

    largest_archive_bytes: int
    per_day: int


def part_bytes(size: int) -> int:
    """Return the size of the parts of an archive in bytes: whole MiB, and few enough of them for any S3."""
    mebibyte = 1024 * 1024
    least = -(-size // MOST_PARTS)
    return max(SMALLEST_PART_BYTES, -(-least // mebibyte) * mebibyte)
