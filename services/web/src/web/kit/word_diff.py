"""Word-by-word difference of two versions of a text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

WORDS = re.compile(r"\w+(?:['’-]\w+)*|\s+|[^\w\s]")
LONG = 2000

Runs = Iterator[tuple[Sequence[str], Sequence[str], bool]]


@dataclass(frozen=True)
class DiffPiece:
    """A stretch that is the `same` in both texts, or was `added` or `removed`."""

    kind: str
    text: str


def word_diff(before: str, after: str) -> list[DiffPiece]:
    """Return both texts as one: the pieces that are not `added` make the first, those not `removed` the second."""
    pieces: list[DiffPiece] = []
    removed, added = "", ""
    for old, new, is_same in _runs(WORDS.findall(before), WORDS.findall(after)):
        if is_same and ("".join(old).strip() or not removed + added):
            pieces += _changed(removed, added)
            removed, added = "", ""
            pieces.append(DiffPiece("same", "".join(old)))
        else:
            removed, added = removed + "".join(old), added + "".join(new)
    return pieces + _changed(removed, added)


def _runs(before: Sequence[str], after: Sequence[str]) -> Runs:
    """Yield the parts of both sequences that belong together, and whether they are the same."""
    is_long = len(before) + len(after) > LONG
    for name, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=is_long).get_opcodes():
        yield before[i1:i2], after[j1:j2], name == "equal"


def _changed(removed: str, added: str) -> list[DiffPiece]:
    return [DiffPiece(kind, text) for kind, text in (("removed", removed), ("added", added)) if text]
