"""Texts of the demo's people: the lines of `demo/`, one file a task, and the assignment of lines to people.

A file lists lines by kind and claim, or by the first words of a context. The former may be written on any context, the
latter on that context alone.
"""

import random
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).with_name("demo")
TASKS = ("sentiment", "nli", "qa", "hate-speech")


@dataclass(frozen=True)
class Line:
    """A text, the expected answer, and its kind.

    `claim` is a label, or the text of the span that answers a question. `beginning` is the beginning of its context; an
    empty one fits any. `edit` is its smallest edit that flips the label.
    """

    text: str
    claim: str
    kind: str
    beginning: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    edit: "Line | None" = None

    @property
    def is_balanced(self) -> bool:
        """Return whether people may honestly disagree about it."""
        return self.kind == "balanced"

    def fits(self, context: str, assigned_label: str | None) -> bool:
        """Return whether it can be written on this context, for this label if one was assigned."""
        return context.startswith(self.beginning) and assigned_label in (None, self.claim)


def lines(task: str) -> list[Line]:
    """Return all lines of a task in the file's order."""
    document = yaml.safe_load((FOLDER / f"{task}.yaml").read_text(encoding="utf-8"))
    return list(_by_kind(document) if isinstance(document, dict) else _by_context(document))


def texts(written: Sequence[Line]) -> dict[str, Line]:
    """Return the lines and their edits by their text."""
    everything = [*written, *(line.edit for line in written if line.edit)]
    return {line.text: line for line in everything}


def _by_kind(document: Mapping[str, Mapping[str, list[Any]]]) -> Iterator[Line]:
    for kind, by_claim in document.items():
        for claim, items in by_claim.items():
            for item in items:
                yield Line(item, claim, kind) if isinstance(item, str) else _pair(item, claim, kind)


def _pair(item: Mapping[str, Any], claim: str, kind: str) -> Line:
    """Return a line of the task hate speech with its metadata, and its edit if it has one."""
    metadata = {name: value for name, value in item.items() if name not in ("text", "edit")}
    flipped = "hateful" if claim == "not hateful" else "not hateful"
    edit = Line(item["edit"], flipped, "smallest edit", metadata=metadata) if "edit" in item else None
    return Line(item["text"], claim, kind, metadata=metadata, edit=edit)


def _by_context(document: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    for entry in document:
        for item in entry["lines"]:
            yield Line(item["text"], item["claim"], item["kind"], beginning=entry["context"])


class Deck:
    """Deals lines to people, each line once.

    Lines for any context are dealt beforehand, so that the seed decides on the writer. A line for one context
    goes to the person who gets that context first.
    """

    def __init__(self, written: Sequence[Line], people: int, seed: int) -> None:
        shuffled = list(written)
        random.Random(seed).shuffle(shuffled)
        anywhere = [line for line in shuffled if not line.beginning]
        self._common = [line for line in shuffled if line.beginning]
        self._dealt = [anywhere[number::people] for number in range(people)]
        self._share = ceil(len(self._common) / people)
        self._lock = threading.Lock()

    def share(self, number: int) -> int:
        """Return the person's initial maximum number of lines."""
        return len(self._dealt[number]) + self._share

    def deal(self, number: int, context: str, assigned_label: str | None) -> Line | None:
        """Return a line that this person can write on this context, or None."""
        with self._lock:
            for pile in (self._dealt[number], self._common):
                for position, line in enumerate(pile):
                    if line.fits(context, assigned_label):
                        return pile.pop(position)
        return None
