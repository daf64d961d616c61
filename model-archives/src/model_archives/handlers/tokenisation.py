"""Tokens with spans in the original text, from the checkpoint's own `tokenizer.json`."""

from dataclasses import dataclass
from pathlib import Path

from tokenizers import Encoding, Tokenizer

from .normalisation import AlignedText, Span, normalise


@dataclass(frozen=True)
class Token:
    """A content token: its place in the model's input and the slice of the original text it came from."""

    position: int
    span: Span
    sequence: int


@dataclass(frozen=True)
class EncodedText:
    """The model's input for one instance (one text, or two)."""

    ids: list[int]
    type_ids: list[int]
    tokens: tuple[Token, ...]
    truncated: bool

    def __len__(self) -> int:
        return len(self.ids)


class TextTokenizer:
    """Truncates at `max_tokens`; `[SEP]` and its like in a person's text are plain text, not separators."""

    def __init__(self, path: Path, max_tokens: int) -> None:
        self._tokenizer = Tokenizer.from_file(str(path))
        self._tokenizer.encode_special_tokens = True
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_tokens)

    def encode(self, text: str, second: str | None = None) -> EncodedText:
        """Encode one text, or a pair for models that read two."""
        aligned = [normalise(part) for part in (text, second) if part is not None]
        encoding = self._tokenizer.encode(*(part.normalised for part in aligned))
        tokens = _content_tokens(encoding, aligned)
        return EncodedText(encoding.ids, encoding.type_ids, tokens, truncated=bool(encoding.overflowing))


def _content_tokens(encoding: Encoding, aligned: list[AlignedText]) -> tuple[Token, ...]:
    sequences = enumerate(zip(encoding.sequence_ids, encoding.offsets, strict=True))
    return tuple(
        Token(position, aligned[sequence].original_span(*offsets), sequence)
        for position, (sequence, offsets) in sequences
        if sequence is not None
    )
