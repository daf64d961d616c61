"""A question with a passage of any length, as overlapping windows that a model of limited length can read.

A passage token that lies in two windows counts in the one that shows it with more of its surroundings, so each
token has one score and no answer is found twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tokenizers import Encoding

from .encoded_text import EncodedText
from .normalisation import AlignedText, Span
from .tokenisation import Reading, content_tokens

PASSAGE, QUESTION = 0, 1
# The model reads the question before the passage; a window's tokens name the fields in the order of the task.
READING_ORDER = (QUESTION, PASSAGE)


@dataclass(frozen=True)
class PassageToken:
    """A token of the passage: its slice, and the window and position where its score is read."""

    span: Span
    window: int
    position: int


@dataclass(frozen=True)
class WindowedText:
    """The windows of one instance and the passage's tokens in reading order; `truncated`: the question was cut."""

    windows: tuple[EncodedText, ...]
    passage: tuple[PassageToken, ...]
    truncated: bool

    def covering(self, start: int, end: int) -> tuple[int, int] | None:
        """The first and last passage token that overlap the slice; None where no token does."""
        inside = [
            index for index, token in enumerate(self.passage) if token.span[0] < end and token.span[1] > start
        ]
        return (inside[0], inside[-1]) if inside else None


class WindowTokenizer:
    """Cuts passages into windows of `max_tokens`, of which questions keep at most two fifths."""

    def __init__(self, reading: Reading, max_tokens: int) -> None:
        self._reading = reading
        self._questions = reading.plain_tokenizer()
        self._questions.enable_truncation(2 * max_tokens // 5)
        self._pairs = reading.plain_tokenizer()
        self._overlap = 3 * max_tokens // 10
        self._pairs.enable_truncation(max_tokens, stride=self._overlap, strategy="only_second")

    def encode(self, passage: str, question: str) -> WindowedText:
        """Every window holds the whole question, as far as it was kept."""
        aligned_question, aligned_passage = map(self._reading.aligned, (question, passage))
        kept, truncated = self._kept(aligned_question)
        encoding = self._pairs.encode(kept, aligned_passage.normalised)
        aligned = [aligned_question, aligned_passage]
        windows = [_window(part, aligned) for part in (encoding, *encoding.overflowing)]
        return WindowedText(tuple(windows), _passage_tokens(windows, self._overlap), truncated)

    def _kept(self, question: AlignedText) -> tuple[str, bool]:
        encoding = self._questions.encode(question.normalised, add_special_tokens=False)
        if not encoding.overflowing:
            return question.normalised, False
        return question.normalised[: encoding.offsets[-1][1]], True


def _window(encoding: Encoding, aligned: list[AlignedText]) -> EncodedText:
    tokens = content_tokens(encoding, aligned, READING_ORDER)
    return EncodedText(encoding.ids, encoding.type_ids, tokens, truncated=False)


def _passage_tokens(windows: Sequence[EncodedText], overlap: int) -> tuple[PassageToken, ...]:
    """Consecutive windows share `overlap` passage tokens; the middle of what they share divides them."""
    chosen: dict[int, tuple[int, PassageToken]] = {}
    first = 0
    for number, window in enumerate(windows):
        inside = [token for token in window.tokens if token.field == PASSAGE]
        for index, token in enumerate(inside):
            surroundings = min(index, len(inside) - 1 - index)
            candidate = PassageToken(token.span, number, token.position)
            if first + index not in chosen or surroundings > chosen[first + index][0]:
                chosen[first + index] = (surroundings, candidate)
        first += len(inside) - overlap
    return tuple(chosen[index][1] for index in sorted(chosen))
