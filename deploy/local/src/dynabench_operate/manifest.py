"""Manifest of a backup: every file with its size and digest, and the mark up to which the backup is valid.

The manifest is written last and gets its name in one step, so a folder without one is no backup.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from dynabench_operate.stores import Refused

FORMAT = 1
NAME = "manifest.json"
EVENTS, OBJECTS, DATABASES, HOME = "events", "objects", "databases", "home"
INDEX = f"{OBJECTS}/index.jsonl"
PIECE_BYTES = 2**20


@dataclass(frozen=True)
class FileEntry:
    """A file of the backup: its size in bytes and SHA-256."""

    bytes: int
    sha256: str


@dataclass
class Manifest:
    """The data for a restore.

    `ends` is the mark: for each topic, by partition, the number of positions before it. `beginnings` is where the log
    began. `groups` has the offset by consumer group and `topic:partition`. `held_seconds` is the time for which
    commands that make events waited.
    """

    taken_at: str
    format: int = FORMAT
    held_seconds: float = 0.0
    revisions: dict[str, str] = field(default_factory=dict)
    server_versions: dict[str, int] = field(default_factory=dict)
    unsent_events: dict[str, int] = field(default_factory=dict)
    beginnings: dict[str, list[int]] = field(default_factory=dict)
    ends: dict[str, list[int]] = field(default_factory=dict)
    events: dict[str, int] = field(default_factory=dict)
    groups: dict[str, dict[str, int]] = field(default_factory=dict)
    objects: int = 0
    object_bytes: int = 0
    vanished_objects: list[str] = field(default_factory=list)
    files: dict[str, FileEntry] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Write it atomically."""
        temporary = folder / f"{NAME}.partial"
        temporary.write_text(json.dumps(asdict(self), indent=1, sort_keys=True) + "\n", encoding="utf-8")
        temporary.replace(folder / NAME)


def now() -> str:
    """Return the time for a backup's name: UTC, without characters that file systems refuse."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%SZ")


def read(folder: Path) -> Manifest:
    """Return the manifest of a backup. Raises Refused for a folder without a manifest or for an incomplete backup."""
    path = folder / NAME
    if not folder.is_dir():
        raise Refused(f"there is no folder {folder}: name the folder of one backup.")
    if not path.exists():
        raise Refused(
            f"{folder} is no complete backup: it has no {NAME}, which is written last. Take another backup, or "
            "name another folder."
        )
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if document.get("format") != FORMAT:
            raise Refused(
                f"{path} has format {document.get('format')}, and this version reads {FORMAT}: restore it with the "
                "version that took it."
            )
        files = {name: FileEntry(**entry) for name, entry in document.pop("files").items()}
        return Manifest(**document, files=files)
    except (ValueError, TypeError, AttributeError, KeyError) as err:
        raise Refused(
            f"{path} can't be read ({type(err).__name__}: {err}): the backup is damaged; take another."
        ) from err


def entry_of(path: Path) -> FileEntry:
    """Return a file's size and digest."""
    with path.open("rb") as file:
        return FileEntry(path.stat().st_size, digest_of(file))


def digest_of(file: BinaryIO) -> str:
    """Return the SHA-256 of the rest of a file."""
    digest = hashlib.sha256()
    for piece in iter(lambda: file.read(PIECE_BYTES), b""):
        digest.update(piece)
    return digest.hexdigest()


def problems(folder: Path, manifest: Manifest) -> Iterator[str]:
    """Yield the differences from the manifest: missing, changed and unknown files."""
    present = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    present.pop(NAME, None)
    for name, entry in sorted(manifest.files.items()):
        path = present.pop(name, None)
        if path is None:
            yield f"{name} is missing"
        elif path.stat().st_size != entry.bytes:
            yield f"{name} has {path.stat().st_size} bytes, {entry.bytes} were written"
        elif entry_of(path) != entry:
            yield f"{name} has other content than was written"
    for name in sorted(present):
        yield f"{name} is not of this backup"
