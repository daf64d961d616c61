"""A text with the stretches in it that people and models marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from web.kit.fields.span import ShownSpan

OTHER_STYLES = 4


@dataclass(frozen=True)
class Mark:
    """A marked stretch of a text, code points `[start, end)`; `who` is the name of its author."""

    who: str
    style: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Stretch:
    """A piece of the text; `styles` are the classes of the marks that cover it."""

    text: str
    styles: str


@dataclass(frozen=True)
class MarkedText:
    """A text split where marks begin and end, with the marks and their authors."""

    label: str
    stretches: list[Stretch]
    marks: list[Mark]


def own_mark(who: str, span: ShownSpan) -> Mark:
    """Return the reader's own mark, which is filled."""
    return Mark(who, "own-mark", span.text, span.start, span.end)


def other_mark(who: str, span: ShownSpan, position: int) -> Mark:
    """Return the mark of a model or of another person: underlined, each in another manner."""
    return Mark(who, f"other-mark other-mark-{position % OTHER_STYLES + 1}", span.text, span.start, span.end)


def marked_text(label: str, text: str, marks: Sequence[Mark]) -> MarkedText:
    """Return the text with its marks, which may overlap."""
    inside = [mark for mark in marks if 0 <= mark.start < mark.end <= len(text)]
    edges = sorted({0, len(text), *(mark.start for mark in inside), *(mark.end for mark in inside)})
    stretches = [
        Stretch(
            text[start:end],
            " ".join(mark.style for mark in inside if mark.start <= start and end <= mark.end),
        )
        for start, end in pairwise(edges)
    ]
    return MarkedText(label, stretches, inside)
