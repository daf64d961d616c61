"""How a checkpoint reads text: by its `tokenizer.json`, or as hashed n-grams that its configuration describes."""

import json
from pathlib import Path
from typing import Any, Protocol

from .description import CONFIG_FILE, TOKENIZER_FILE, Description
from .encoded_text import EncodedText
from .ngrams import NgramReader


class TextReader(Protocol):
    """Texts of one instance, in the order of the archive's fields → the model's input."""

    def encode(self, *texts: str) -> EncodedText:
        """Never fails on a text, whatever its characters."""


def load_reader(folder: Path, description: Description) -> TextReader:
    """Cuts where the archive says the model stops reading."""
    features = _config(folder).get("features")
    if features is not None:
        return NgramReader(features["kind"], features["buckets"], description.max_tokens)
    from .tokenisation import TextTokenizer

    return TextTokenizer(folder / TOKENIZER_FILE, description.max_tokens)


def pad_id(folder: Path) -> int:
    """The padding token's id by the checkpoint's configuration; 0 where it names none."""
    configured = _config(folder).get("pad_token_id")
    return configured if isinstance(configured, int) else 0


def _config(folder: Path) -> dict[str, Any]:
    config: dict[str, Any] = json.loads((folder / CONFIG_FILE).read_text(encoding="utf-8"))
    return config
