"""The first rows of a released split, read from its JSON lines.

A split may have millions of rows, and readers want some dozen. The lines are decompressed while they arrive, so the
first rows cost one small read. The price is that a rare label is found only among the first `MOST_SEARCHED` rows.
"""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_common.object_store import S3ObjectStore
from dynabench_tasks.values import to_text

MOST_SEARCHED = 2_000
STRING = "string"
Line = Mapping[str, Any]


@dataclass(frozen=True)
class Wanted:
    """The wanted rows: those with this label, or all; `offset` counts only them.

    `left_out` are the ids of examples that were hidden after the release.
    """

    limit: int
    offset: int = 0
    label: str | None = None
    left_out: frozenset[str] = frozenset()

    def has(self, line: Line) -> bool:
        """Return whether a row is one of them."""
        if line.get("id") in self.left_out:
            return False
        stated = line.get("label")
        return self.label is None or (stated is not None and to_text(stated) == self.label)


@dataclass(frozen=True)
class FoundRows:
    """Lines of the wanted rows, and how far the search went."""

    lines: Sequence[Line]
    next_offset: int | None
    searched: int
    is_limit_reached: bool


def stored_rows(store: S3ObjectStore, key: str, wanted: Wanted) -> FoundRows:
    """Return the wanted rows of a stored split. Raises ObjectsUnavailable."""
    with store.opened(key) as stream, gzip.open(stream, "rt", encoding="utf-8") as lines:
        return find(map(json.loads, lines), wanted)


def find(lines: Iterable[Line], wanted: Wanted) -> FoundRows:
    """Return the wanted rows; the search ends at the first row after them, or at the limit."""
    found: list[Line] = []
    matching = searched = 0
    for line in lines:
        if searched == MOST_SEARCHED:
            return FoundRows(found, None, searched, True)
        searched += 1
        if not wanted.has(line):
            continue
        matching += 1
        if len(found) == wanted.limit:
            return FoundRows(found, wanted.offset + wanted.limit, searched, False)
        if matching > wanted.offset:
            found.append(line)
    return FoundRows(found, None, searched, False)


def column_types(fields: Mapping[str, Any]) -> dict[str, str]:
    """Return the type of each shown column, from the described fields of a dataset."""
    label = str(fields["label"]["type_name"])
    of_fields = {
        part: {f"{part}_{each['name']}": str(each["type_name"]) for each in fields.get(part) or ()}
        for part in ("context", "input", "metadata")
    }
    return {
        "id": STRING,
        **of_fields["context"],
        **of_fields["input"],
        "label": label,
        "claimed": label,
        "targets": "targets",
        "verdict": STRING,
        "resolution": STRING,
        **of_fields["metadata"],
    }


def row_of(line: Line, columns: Iterable[str]) -> dict[str, Any]:
    """Return a line as a flat row, with null for an absent value."""
    flat = {**line, "targets": list(_targets(line))}
    for part in ("context", "input", "metadata"):
        flat |= {f"{part}_{name}": value for name, value in (line.get(part) or {}).items()}
    return {name: flat.get(name) for name in columns}


def _targets(line: Line) -> Iterator[dict[str, Any]]:
    wrong = line.get("target_wrong") or {}
    for name, answer in (line.get("targets") or {}).items():
        yield {"name": name, "answer": answer, "wrong": wrong.get(name)}
