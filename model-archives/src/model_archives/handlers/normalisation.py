"""Text as the model reads it, with the way back to the text as the person wrote it.

A checkpoint is given every text as it was written, unless its configuration says `"emoji": "names"`.

Explanations point into the original text, so every character of the normalised text remembers which slice of
the original (in Unicode code points) it stands for.
"""

import unicodedata
from dataclasses import dataclass

from .emoji import SEQUENCE, name_of

REPLACEMENT = "\ufffd"
Span = tuple[int, int]


@dataclass(frozen=True)
class AlignedText:
    """`origins[i]` is the slice of `original` that character i of `normalised` stands for."""

    original: str
    normalised: str
    origins: tuple[Span, ...]

    def original_span(self, start: int, end: int) -> Span:
        """The slice of the original behind `normalised[start:end]`, widened over trailing combining marks."""
        if start >= end:
            return (0, 0)
        first, last = self.origins[start][0], self.origins[end - 1][1]
        while last < len(self.original) and unicodedata.category(self.original[last]) in ("Mn", "Me"):
            last += 1
        return (first, last)


def as_written(original: str) -> AlignedText:
    """The text itself; only lone surrogates, which no tokenizer accepts, become U+FFFD."""
    pieces: list[str] = []
    origins: list[Span] = []
    _copy(original, 0, len(original), pieces, origins)
    return AlignedText(original, "".join(pieces), tuple(origins))


def normalise(original: str) -> AlignedText:
    """Emoji become their names between spaces; lone surrogates become U+FFFD."""
    pieces: list[str] = []
    origins: list[Span] = []
    position = 0
    for match in SEQUENCE.finditer(original):
        name = name_of(match.group())
        if name is None:
            continue
        _copy(original, position, match.start(), pieces, origins)
        words = f" {name} "
        pieces.append(words)
        origins.extend([match.span()] * len(words))
        position = match.end()
    _copy(original, position, len(original), pieces, origins)
    return AlignedText(original, "".join(pieces), tuple(origins))


def _copy(original: str, start: int, end: int, pieces: list[str], origins: list[Span]) -> None:
    pieces.extend(
        REPLACEMENT if "\ud800" <= character <= "\udfff" else character for character in original[start:end]
    )
    origins.extend((index, index + 1) for index in range(start, end))
