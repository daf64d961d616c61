"""Texts as hashed n-grams: no vocabulary to ship, any language, any number of fields.

Each kind sees something else, so models on different kinds fail on different texts. An n-gram belongs in equal
shares to the words that it is made of, which is where explanations put its weight.
"""

import re
import unicodedata
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .encoded_text import EncodedText, Token
from .normalisation import Span, normalise

# Never hashed to: padding, and the feature that every text has, so that no text is without features.
ALWAYS = 1
RESERVED = 2
WORD = re.compile(r"\w[\w'’\u0300-\u036f-]*")
CHARACTER_LENGTHS = (3, 4, 5)
PAIR_REACH = 4


@dataclass(frozen=True)
class Word:
    """A word in lower case without accents' encoding differences, and its slice of the original field."""

    text: str
    span: Span
    field: int


Ngram = tuple[str, tuple[Word, ...]]


class NgramReader:
    """`buckets` hashed ids beside the reserved ones; at most `max_tokens` n-grams are kept, from the beginning."""

    def __init__(self, kind: str, buckets: int, max_tokens: int) -> None:
        self._ngrams = KINDS[kind]
        self._buckets = buckets
        self._most = max_tokens - 1

    def encode(self, *texts: str) -> EncodedText:
        """N-grams never cross from one field into the next."""
        ngrams = [
            ngram for field, text in enumerate(texts) for ngram in self._ngrams(list(_words(text, field)))
        ]
        kept = ngrams[: self._most]
        tokens = tuple(
            Token(position, word.span, word.field, 1 / len(words))
            for position, (_, words) in enumerate(kept, start=1)
            for word in words
        )
        ids = [ALWAYS, *(self._bucket(name) for name, _ in kept)]
        return EncodedText(ids, [0] * len(ids), tokens, truncated=len(ngrams) > self._most)

    def _bucket(self, name: str) -> int:
        return RESERVED + zlib.crc32(name.encode()) % self._buckets


def _words(text: str, field: int) -> Iterator[Word]:
    aligned = normalise(text)
    for match in WORD.finditer(aligned.normalised):
        plain = unicodedata.normalize("NFC", match.group().lower())
        yield Word(plain, aligned.original_span(*match.span()), field)


def _words_and_neighbours(words: Sequence[Word]) -> Iterator[Ngram]:
    for word in words:
        yield word.text, (word,)
    for first, second in pairwise(words):
        yield f"{first.text} {second.text}", (first, second)


def _characters(words: Sequence[Word]) -> Iterator[Ngram]:
    for word in words:
        framed = f"<{word.text}>"
        for length in CHARACTER_LENGTHS:
            for start in range(max(1, len(framed) - length + 1)):
                yield framed[start : start + length], (word,)


def _pairs(words: Sequence[Word]) -> Iterator[Ngram]:
    """Each word with those shortly before it, in either order, and with nothing: topics are told by company."""
    for index, word in enumerate(words):
        yield word.text, (word,)
        for other in words[max(0, index - PAIR_REACH) : index]:
            yield " & ".join(sorted((word.text, other.text))), (other, word)


KINDS: dict[str, Callable[[Sequence[Word]], Iterator[Ngram]]] = {
    "words": _words_and_neighbours,
    "characters": _characters,
    "pairs": _pairs,
}
