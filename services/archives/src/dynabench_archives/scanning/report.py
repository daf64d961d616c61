"""Report of a scan."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True)
class ScanLimits:
    """Limits of scanned archives; sizes in bytes, unpacked.

    `most_ratio` is unpacked to packed of one entry, from `ratio_from_bytes` unpacked up.
    """

    most_entries: int = 2_000
    most_bytes: int = 12_000_000_000
    most_entry_bytes: int = 10_000_000_000
    most_ratio: float = 200.0
    ratio_from_bytes: int = 1_000_000
    most_name_characters: int = 200
    most_json_bytes: int = 64_000_000


class ScanKind(StrEnum):
    """The kind of an archive: data alone, a program, or refused."""

    DECLARATIVE = "declarative"
    CODE = "code"
    REFUSED = "refused"


class EntryKind(StrEnum):
    """The kind of an archive's entry."""

    WEIGHTS = "weights"
    TOKENIZER = "tokenizer"
    CONFIGURATION = "configuration"
    DESCRIPTION = "description"
    MANIFEST = "manifest"
    GRAPH = "graph"
    OUR_HANDLER = "our_handler"
    CODE = "code"
    PICKLE = "pickle"
    TEXT = "text"
    OTHER = "other"


@dataclass(frozen=True)
class Finding:
    """A finding for people; a refusal ends the checks. `path` None stands for the archive as a whole."""

    code: str
    is_refusal: bool
    path: str | None
    reason: str
    remedy: str


@dataclass(frozen=True)
class EntryReport:
    """An entry: its size in bytes, unpacked, the hex sha256 of its bytes, and what it is."""

    path: str
    size: int
    sha256: str
    kind: EntryKind


@dataclass(frozen=True)
class ArchiveDescription:
    """The model's description in `dynabench.json`; `max_tokens` None stands for the model's own limit."""

    name: str
    version: str
    task_type: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    max_tokens: int | None


@dataclass(frozen=True)
class ScanReport:
    """Kind and contents of an archive. `content_digest` is "sha256:…" over its sorted paths and digests."""

    kind: ScanKind
    entries: tuple[EntryReport, ...]
    findings: tuple[Finding, ...]
    description: ArchiveDescription | None
    handler: str | None
    content_digest: str


class ArchiveRefused(Exception):
    """An archive is refused; `findings` are all known reasons, `finding` the first of them."""

    def __init__(self, code: str, reason: str, remedy: str, path: str | None = None) -> None:
        super().__init__(reason)
        self.finding = Finding(code, True, path, reason, remedy)
        self.findings: tuple[Finding, ...] = (self.finding,)


MOST_FINDINGS = 100
"""Most findings reported for one archive."""


def raise_together(errors: Sequence[ArchiveRefused]) -> None:
    """Raise the first of these errors with the findings of all, if there are any. Raises ArchiveRefused."""
    if errors:
        first = errors[0]
        first.findings = tuple(error.finding for error in errors[:MOST_FINDINGS])
        raise first


PACKAGE_AGAIN = "Make the archive with dynabench models package, and send it as it is."
