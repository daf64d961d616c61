"""Comparison of an archive's note in the model store with its declaration."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynabench_archives.model_servers import Archive

from registry.domain.declarations import Declared


@dataclass(frozen=True)
class StoredNote:
    """A file of the store: its size in bytes, and its note or the reason why it can't be read."""

    size: int
    note: Mapping[str, Any] | str


def described_archive(declared: Declared, stored: StoredNote | None) -> Archive | str:
    """Return the archive of a declared model, or the reason why it can't be served."""
    if stored is None:
        return f"{declared.archive} is not in the model store; build the archives"
    if isinstance(stored.note, str):
        return f"the note of {declared.archive} can't be used: {stored.note}; build the archives"
    try:
        archive = Archive(
            file=declared.archive,
            sha256=str(stored.note["sha256"]),
            model_digest=str(stored.note["model_digest"]),
            handler_digest=str(stored.note["handler_digest"]),
            size=stored.size,
        )
        different = _differences(stored.note, stored.size, declared)
    except (KeyError, TypeError) as err:
        reason = f"{type(err).__name__}: {err}"
        return f"the note of {declared.archive} can't be used: {reason}; build the archives"
    if different:
        return f"{declared.archive}, its note and models.yaml disagree about {different}; build the archives"
    return archive


def _differences(note: Mapping[str, Any], size: int, declared: Declared) -> str:
    pairs = {
        "the size": (note["size"], size),
        "the task type": (note["task_type"], declared.task_type),
        "the fields": (tuple(note["fields"]), declared.fields),
        "the labels": (tuple(note["labels"]), declared.labels),
    }
    return " and ".join(name for name, (noted, found) in pairs.items() if noted != found)
