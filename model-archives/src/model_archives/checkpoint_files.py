"""The files of a checkpoint that is made here, written so that the same recipe gives the same bytes."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from model_archives.handlers.description import CONFIG_FILE

TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json")


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
    (destination / CONFIG_FILE).write_text(json.dumps(config, indent=2) + "\n")


def copy_tokenizer(base: Path, destination: Path) -> None:
    """The base encoder's tokenizer, unchanged."""
    for name in TOKENIZER_FILES:
        shutil.copyfile(base / name, destination / name)
