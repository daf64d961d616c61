"""Check that weights include every tensor of the configuration, before anything of that size is allocated.

Libraries fill missing tensors with random numbers, and make as many layers as the configuration says.
"""

import json
import re
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from transformers import AutoConfig, AutoModelForQuestionAnswering, AutoModelForSequenceClassification
from transformers.utils.logging import disable_progress_bar

from model_archives.errors import BuildError
from model_archives.handlers.description import CONFIG_FILE, WEIGHTS_FILE
from model_archives.handlers.encoders import OWN_ENCODERS, QUESTION_ANSWERING
from model_archives.handlers.small_networks import SMALL_NETWORKS

MANY = re.compile(r"(layers?|blocks|groups)$")
"""Names of settings with the number of a part; each part has at least one tensor."""
MOST_NAMED = 3
REMEDY = "save model and configuration together with save_pretrained"


def ensure_whole(folder: Path) -> None:
    """Raise BuildError if the weights lack a tensor, or the configuration needs more than they contain."""
    config = json.loads((folder / CONFIG_FILE).read_text(encoding="utf-8"))
    with safe_open(folder / WEIGHTS_FILE, "pt") as weights:
        shapes = {name: tuple(weights.get_slice(name).get_shape()) for name in weights.offset_keys()}
    for name, number in _many(config):
        if number > len(shapes):
            raise BuildError(
                f"{CONFIG_FILE} says {name}: {number:,}, and {WEIGHTS_FILE} holds {len(shapes):,} tensors: {REMEDY}"
            )
    try:
        with torch.device("meta"):
            asked = sum(each.numel() for each in _unfilled(folder, config).parameters())
        held = sum(map(prod, shapes.values()))
        missing = [] if asked > held else _missing(folder, config, shapes)
    except MemoryError:
        raise
    except Exception as error:  # any error of a library on untrusted settings
        raise BuildError(f"{CONFIG_FILE} and {WEIGHTS_FILE} do not fit together: {error}") from error
    if asked > held:
        raise BuildError(
            f"{CONFIG_FILE} asks for {asked:,} numbers, and {WEIGHTS_FILE} holds {held:,}: {REMEDY}"
        )
    if missing:
        named = ", ".join(missing[:MOST_NAMED]) + (" and others" if len(missing) > MOST_NAMED else "")
        raise BuildError(f"{WEIGHTS_FILE} lacks {named}: {REMEDY}")


def _many(config: Any) -> Iterator[tuple[str, int]]:
    """Yield the settings with the number of a part, at any depth."""
    for name, value in config.items():
        if isinstance(value, dict):
            yield from _many(value)
        elif MANY.search(name) and isinstance(value, int):
            yield name, value


def _unfilled(folder: Path, config: dict[str, Any]) -> torch.nn.Module:
    """The network without numbers, on whatever device is the default."""
    architecture = config["architectures"][0]
    if architecture in SMALL_NETWORKS:
        return SMALL_NETWORKS[architecture](**config["network"])
    settings = AutoConfig.from_pretrained(folder, local_files_only=True)
    own = OWN_ENCODERS.get(architecture)
    return _loader(architecture).from_config(settings) if own is None else own(settings)


def _missing(folder: Path, config: dict[str, Any], shapes: dict[str, tuple[int, ...]]) -> list[str]:
    architecture = config["architectures"][0]
    if architecture in SMALL_NETWORKS:
        with torch.device("meta"):
            return sorted(set(_unfilled(folder, config).state_dict()) - set(shapes))
    loader = OWN_ENCODERS.get(architecture, _loader(architecture))
    disable_progress_bar()
    _, found = loader.from_pretrained(
        folder, local_files_only=True, use_safetensors=True, output_loading_info=True
    )
    return sorted(found["missing_keys"])


def _loader(architecture: str) -> Any:
    is_reader = architecture.endswith(QUESTION_ANSWERING)
    return AutoModelForQuestionAnswering if is_reader else AutoModelForSequenceClassification
