"""A checkpoint as transformers saves it: which of its files go into an archive, and which labels it has.

The platform looks closer when it builds what it serves; here is what can be seen without loading the model.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dynabench_archives.packing import PackingRefused
from dynabench_archives.scanning.contents import (
    CODE_SUFFIXES,
    CONFIGURATION,
    DESCRIPTION,
    PICKLE_SUFFIXES,
    SAFE_WEIGHTS,
    TEXTS,
    WEIGHTS,
    names_code,
)
from dynabench_archives.task_types import TASK_TYPES

TOKENIZER, TOKENIZER_SETTINGS = "tokenizer.json", "tokenizer_config.json"
DATA_ONLY = (
    "An archive of data holds weights, tokenizer and configuration: take it out, or write a handler.py."
)


def read_checkpoint(
    files: Mapping[str, Path], task_type: str, labels: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the paths that are packed, and the labels in the model's order.

    `labels` are those said elsewhere, empty where nothing is said. Raises PackingRefused.
    """
    for name in files:
        if name.lower().endswith(PICKLE_SUFFIXES):
            raise PackingRefused(
                name, "it may hold a pickle, which runs code when it is loaded", SAFE_WEIGHTS
            )
        if name.lower().endswith(CODE_SUFFIXES):
            raise PackingRefused(name, "it is code", DATA_ONLY)
    configuration = _configuration(files[CONFIGURATION])
    _require_weights(files)
    own = _labels(configuration) if TASK_TYPES[task_type].has_labels else ()
    if labels and set(labels) != set(own):
        raise PackingRefused(
            CONFIGURATION,
            f"id2label has {', '.join(own)}, and {DESCRIPTION} says {', '.join(labels)}",
            "Name the classes as the task's labels are called, in both.",
        )
    needed = [CONFIGURATION, WEIGHTS]
    if "features" not in configuration:
        if TOKENIZER not in files:
            raise PackingRefused(TOKENIZER, "it is missing", "Save the fast tokenizer with save_pretrained.")
        needed.append(TOKENIZER)
    optional = (TOKENIZER_SETTINGS, *TEXTS)
    return tuple(sorted([*needed, *(name for name in optional if name in files)])), own


def _require_weights(files: Mapping[str, Path]) -> None:
    if WEIGHTS in files:
        return
    shards = sorted(name for name in files if name.endswith(".safetensors"))
    if shards:
        raise PackingRefused(
            shards[0],
            f"the weights must lie in one file, {WEIGHTS}",
            'Save the model with save_pretrained(max_shard_size="100GB").',
        )
    raise PackingRefused(WEIGHTS, "it is missing", SAFE_WEIGHTS)


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


def _labels(configuration: Mapping[str, Any]) -> tuple[str, ...]:
    named = configuration.get("id2label")
    numbers = [str(number) for number in range(len(named))] if isinstance(named, dict) else []
    if not isinstance(named, dict) or len(named) < 2 or sorted(named) != sorted(numbers):
        raise PackingRefused(
            CONFIGURATION,
            "id2label does not name the classes",
            'Add "id2label": {"0": "negative", "1": …}, each class once.',
        )
    return tuple(str(named[number]) for number in numbers)
