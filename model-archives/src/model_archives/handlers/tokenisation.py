"""Tokens with spans in the original texts, from the checkpoint's own `tokenizer.json`."""

from collections.abc import Sequence
from pathlib import Path

from tokenizers import Encoding, Tokenizer

from .description import MOST_TOKENIZED_FIELDS
from .encoded_text import EncodedText, Token
from .normalisation import AlignedText, normalise


class TextTokenizer:
    """Truncates at `max_tokens`; `[SEP]` and its like in a person's text are plain text, not separators."""

    def __init__(self, path: Path, max_tokens: int) -> None:
        self._tokenizer = plain_tokenizer(path)
        self._tokenizer.enable_truncation(max_tokens)

    def encode(self, *texts: str) -> EncodedText:
        """Encode one text, or two for models that read a pair; of a pair the longer text is cut first."""
        aligned = [normalise(text) for text in texts]
        encoding = self._tokenizer.encode(*(text.normalised for text in aligned))
        tokens = content_tokens(encoding, aligned)
        return EncodedText(encoding.ids, encoding.type_ids, tokens, truncated=bool(encoding.overflowing))


def plain_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer of a checkpoint, without the padding and the special meanings it may have been saved with."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.encode_special_tokens = True
    tokenizer.no_padding()
    return tokenizer


def content_tokens(
    encoding: Encoding, aligned: Sequence[AlignedText], fields: Sequence[int] = range(MOST_TOKENIZED_FIELDS)
) -> tuple[Token, ...]:
    """The tokens that stand for text; `aligned` and `fields` are in the order in which the texts were encoded."""
    sequences = enumerate(zip(encoding.sequence_ids, encoding.offsets, strict=True))
    return tuple(
        Token(position, aligned[sequence].original_span(*offsets), fields[sequence])
        for position, (sequence, offsets) in sequences
        if sequence is not None
    )
