"""How a checkpoint reads text: by its `tokenizer.json`, or as hashed n-grams that its configuration describes."""

from pathlib import Path
from typing import Protocol

from .description import CONFIG_FILE, Description, json_of
from .encoded_text import EncodedText
from .ngrams import NgramReader


class TextReader(Protocol):
    """Texts of one instance, in the order of the archive's fields → the model's input."""

    def encode(self, *texts: str) -> EncodedText:
        """Never fails on a text, whatever its characters."""


def load_reader(folder: Path, description: Description) -> TextReader:
    """Cuts where the archive says the model stops reading."""
    features = json_of(folder / CONFIG_FILE).get("features")
    if features is not None:
        return NgramReader(features["kind"], features["buckets"], description.max_tokens)
    from .tokenisation import TextTokenizer, declared_reading

    return TextTokenizer(declared_reading(folder), description.max_tokens)


def pad_id(folder: Path) -> int:
    """The padding token's id by the checkpoint's configuration; 0 where it names none."""
    configured = json_of(folder / CONFIG_FILE).get("pad_token_id")
    return configured if isinstance(configured, int) else 0
