"""Tokens with spans in the original texts, from the checkpoint's own `tokenizer.json`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Encoding, Tokenizer

from .description import (
    CONFIG_FILE,
    EMOJI,
    MOST_TOKENIZED_FIELDS,
    NAMES,
    SPLIT_SPECIAL_TOKENS,
    TOKENIZER_CONFIG_FILE,
    TOKENIZER_FILE,
    json_of,
)
from .encoded_text import EncodedText, Token
from .normalisation import AlignedText, as_written, normalise


@dataclass(frozen=True)
class Reading:
    """How a checkpoint reads texts: what it declares, else what transformers does.

    `splits_special_tokens`: `[SEP]` and its like in a person's text are plain text, not separators.
    """

    tokenizer: Path
    names_emoji: bool = False
    splits_special_tokens: bool = False
    truncation_side: str = "right"

    def aligned(self, text: str) -> AlignedText:
        """The text as the tokenizer gets it."""
        return normalise(text) if self.names_emoji else as_written(text)

    def plain_tokenizer(self) -> Tokenizer:
        """The tokenizer, without the padding that it may have been saved with."""
        tokenizer = Tokenizer.from_file(str(self.tokenizer))
        tokenizer.encode_special_tokens = self.splits_special_tokens
        tokenizer.no_padding()
        return tokenizer


def our_reading(folder: Path) -> Reading:
    """How our baselines read, with the tokenizer of a base encoder's folder."""
    return Reading(folder / TOKENIZER_FILE, names_emoji=True, splits_special_tokens=True)


def declared_reading(folder: Path) -> Reading:
    """What `config.json` and `tokenizer_config.json` of a checkpoint declare."""
    settings = json_of(folder / TOKENIZER_CONFIG_FILE)
    return Reading(
        folder / TOKENIZER_FILE,
        json_of(folder / CONFIG_FILE).get(EMOJI) == NAMES,
        settings.get(SPLIT_SPECIAL_TOKENS) is True,
        "left" if settings.get("truncation_side") == "left" else "right",
    )


class TextTokenizer:
    """Truncates at `max_tokens`."""

    def __init__(self, reading: Reading, max_tokens: int) -> None:
        self._reading = reading
        self._tokenizer = reading.plain_tokenizer()
        self._tokenizer.enable_truncation(max_tokens, direction=reading.truncation_side)

    def encode(self, *texts: str) -> EncodedText:
        """Encode one text, or two for models that read a pair; of a pair the longer text is cut first."""
        aligned = [self._reading.aligned(text) for text in texts]
        encoding = self._tokenizer.encode(*(text.normalised for text in aligned))
        tokens = content_tokens(encoding, aligned)
        return EncodedText(encoding.ids, encoding.type_ids, tokens, truncated=bool(encoding.overflowing))


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
