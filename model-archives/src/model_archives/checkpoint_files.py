"""The files of a checkpoint that is made here, written so that the same recipe gives the same bytes.

They declare the input format of our baselines: emoji by their names, separators in a text as plain text.
"""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from model_archives.handlers.description import (
    CONFIG_FILE,
    EMOJI,
    NAMES,
    SPLIT_SPECIAL_TOKENS,
    TOKENIZER_CONFIG_FILE,
    TOKENIZER_FILE,
    json_of,
)


def label_settings(labels: Sequence[str]) -> dict[str, Any]:
    """Labels as a Hugging Face configuration names them; nothing for a model without labels."""
    if not labels:
        return {}
    return {
        "id2label": {str(index): label for index, label in enumerate(labels)},
        "label2id": {label: index for index, label in enumerate(labels)},
    }


def write_config(config: dict[str, Any], destination: Path) -> None:
    """Write `config.json`."""
    _write(config | {EMOJI: NAMES}, destination / CONFIG_FILE)


def copy_tokenizer(base: Path, destination: Path) -> None:
    """The base encoder's tokenizer, unchanged, and its settings."""
    shutil.copyfile(base / TOKENIZER_FILE, destination / TOKENIZER_FILE)
    settings = json_of(base / TOKENIZER_CONFIG_FILE) | {SPLIT_SPECIAL_TOKENS: True}
    _write(settings, destination / TOKENIZER_CONFIG_FILE)


def _write(content: dict[str, Any], path: Path) -> None:
    path.write_text(json.dumps(content, indent=2) + "\n")
