"""A checkpoint as transformers saves it: which of its files go into an archive, and which labels it has.

The platform looks closer when it builds what it serves; here is what can be seen without loading the model.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dynabench_archives.packing import PackingRefused
from dynabench_archives.scanning.contents import (
    CODE_SUFFIXES,
    CONFIGURATION,
    DESCRIPTION,
    OTHER_WEIGHTS,
    PICKLE_SUFFIXES,
    TEXTS,
    WEIGHTS,
    names_code,
    weights_remedy,
)
from dynabench_archives.task_types import TASK_TYPES

TOKENIZER, TOKENIZER_SETTINGS = "tokenizer.json", "tokenizer_config.json"
DATA_ONLY = (
    "An archive of data holds weights, tokenizer and configuration: take it out, or write a handler.py."
)
UNNAMED = re.compile(r"LABEL_\d+")
NAME_CLASSES = "Name them in the model's order: --label negative --label positive, say."


@dataclass(frozen=True)
class Checkpoint:
    """The packed part of a checkpoint: the files, and the classes in the model's order.

    `named` is the configuration with names for its classes, None where it has names of its own.
    """

    files: tuple[str, ...]
    labels: tuple[str, ...]
    named: bytes | None = None


def read_checkpoint(files: Mapping[str, Path], task_type: str, labels: tuple[str, ...]) -> Checkpoint:
    """Return the part to pack; `labels` are those given elsewhere, empty if none are given.

    Raises PackingRefused.
    """
    if WEIGHTS not in files:
        others = [name for name in files if name.lower().endswith((*PICKLE_SUFFIXES, *OTHER_WEIGHTS))]
        what = f"{others[0]} is not read" if others else f"it needs {WEIGHTS}"
        raise PackingRefused(WEIGHTS, f"it is missing: {what}", weights_remedy(files))
    for name in files:
        if name.lower().endswith(CODE_SUFFIXES) and not name.lower().endswith(PICKLE_SUFFIXES):
            raise PackingRefused(name, "it is code", DATA_ONLY)
    configuration = _configuration(files[CONFIGURATION])
    own, named = _labels(configuration, labels) if TASK_TYPES[task_type].has_labels else ((), None)
    needed = [CONFIGURATION, WEIGHTS]
    if "features" not in configuration:
        if TOKENIZER not in files:
            raise PackingRefused(TOKENIZER, "it is missing", "Save the fast tokenizer with save_pretrained.")
        needed.append(TOKENIZER)
    optional = (TOKENIZER_SETTINGS, *TEXTS)
    return Checkpoint(tuple(sorted([*needed, *(name for name in optional if name in files)])), own, named)


def _configuration(path: Path) -> Mapping[str, Any]:
    try:
        configuration = json.loads(path.read_text("utf-8"))
    except ValueError as err:
        raise PackingRefused(
            CONFIGURATION, f"it is no JSON: {err}", "Save the model with save_pretrained."
        ) from err
    if not isinstance(configuration, dict):
        raise PackingRefused(CONFIGURATION, "it is no JSON object", "Save the model with save_pretrained.")
    key = names_code(configuration)
    if key is not None:
        raise PackingRefused(
            CONFIGURATION,
            f"it asks for code of its own ({key})",
            "Use an architecture of transformers itself.",
        )
    return configuration


def _labels(configuration: Mapping[str, Any], given: tuple[str, ...]) -> tuple[tuple[str, ...], bytes | None]:
    """Return the classes in the model's order, and the configuration where their names come from elsewhere."""
    classes = configuration.get("id2label")
    numbers = [str(number) for number in range(len(classes))] if isinstance(classes, dict) else []
    if isinstance(classes, dict) and sorted(classes) != sorted(numbers):
        raise PackingRefused(
            CONFIGURATION,
            "id2label does not name the classes",
            'Write "id2label": {"0": "negative", "1": …}, each class once.',
        )
    own = tuple(str(classes[number]) for number in numbers) if isinstance(classes, dict) else ()
    is_unnamed = all(UNNAMED.fullmatch(label) for label in own)
    if is_unnamed and len(given) >= 2 and len(given) in {len(own) or len(given)}:
        names = {
            "id2label": dict(enumerate(given)),
            "label2id": {label: place for place, label in enumerate(given)},
        }
        return given, (json.dumps({**configuration, **names}, indent=2) + "\n").encode()
    if is_unnamed or len(own) < 2:
        number = f"its {len(own)} classes are" if own else "its classes are"
        raise PackingRefused(CONFIGURATION, f"{number} not named in id2label", NAME_CLASSES)
    if given and set(given) != set(own):
        raise PackingRefused(
            CONFIGURATION,
            f"id2label has {', '.join(own)}, and {DESCRIPTION} or --label says {', '.join(given)}",
            "Write the task's names into id2label, each in the place of the class that means it.",
        )
    return own, None
