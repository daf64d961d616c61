"""The rules for text that people may send, and for cells of text that spreadsheets may open.

Text is stored exactly as it came: no trimming, no Unicode normalisation, no escaping. So text that cannot be stored, or
that a person cannot read, is refused with a reason. Lengths count Unicode code points.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import regex

# Control characters but for tab and line breaks, and halves of surrogate pairs: Unicode's categories Cc and Cs.
UNKEEPABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
CHARACTER = regex.compile(r"\X")
SEES_NOTHING = frozenset("\u2800\u3164\u115f\u1160\uffa0")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


@dataclass(frozen=True)
class TextProblem:
    """The reason why a text is refused, and its remedy."""

    reason: str
    remedy: str


def validate_text(text: str, max_length: int, may_be_blank: bool = False) -> TextProblem | None:
    """Return the first problem of `text`, or None.

    `max_length` counts code points.
    """
    if len(text) > max_length:
        return TextProblem(
            f"has {len(text):,} characters; at most {max_length:,} are allowed",
            f"Shorten it by {len(text) - max_length:,} characters.",
        )
    unkeepable = UNKEEPABLE.search(text)
    if unkeepable is not None:
        return TextProblem(
            f"holds the control character U+{ord(unkeepable[0]):04X} at position {unkeepable.start()}",
            "Remove it; line breaks and tabs are the only control characters that text may hold.",
        )
    if not may_be_blank and is_blank(text):
        return TextProblem("is blank", "Write at least one visible character.")
    return None


def is_blank(text: str) -> bool:
    """Return whether a reader would see nothing: spaces, zero-width and control characters only."""
    first = text[:1]
    if first.isascii() and first.isalnum():
        return False
    return all(c in SEES_NOTHING or unicodedata.category(c) in INVISIBLE_CATEGORIES for c in text)


def whole_characters(text: str, start: int, end: int) -> tuple[int, int]:
    """Return `[start, end)` extended to whole characters; offsets count code points."""
    edges = character_edges(text)
    return edges[bisect_right(edges, start) - 1], edges[bisect_left(edges, end)]


def character_edges(text: str) -> Sequence[int]:
    """Return the start of each character of a text, and its length.

    A character is what a reader sees as one: an extended grapheme cluster (Unicode Standard Annex 29).
    """
    if text.isascii() and "\r" not in text:
        return range(len(text) + 1)
    return [*(found.start() for found in CHARACTER.finditer(text)), len(text)]


def safe_cell(text: str) -> str:
    """Return a text with an apostrophe before it where a spreadsheet would compute it; numbers stay."""
    if not text.startswith(FORMULA_STARTS):
        return text
    try:
        float(text)
    except ValueError:
        return "'" + text
    return text
