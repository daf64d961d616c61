"""Base encoder + LoRA adapter → a plain Hugging Face checkpoint that needs neither peft nor this project.

The sum is made in double precision from half-precision factors, where it is exact but for the last rounding: the
same adapter gives the same bytes, hence the same digest, on every processor.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file, save_file

from model_archives.base_encoders import base_encoder_folder
from model_archives.checkpoint_files import copy_tokenizer, label_settings, write_config
from model_archives.handlers.description import WEIGHTS_FILE
from model_archives.training.recipe import Lora, Recipe

PEFT_PREFIX = "base_model.model."
# Written by the library version of the day, without influence on what the model computes.
INCIDENTAL_SETTINGS = ("_name_or_path", "transformers_version", "gradient_checkpointing")
Tensors = dict[str, npt.NDArray[np.float32]]


def write_merged_checkpoint(recipe: Recipe, lora: Lora, destination: Path) -> None:
    """Write config, weights and tokenizer of the adapted model into the folder `destination`."""
    base = base_encoder_folder(recipe.base)
    adapter, scale = load_file(recipe.weights_file), lora.alpha / lora.rank
    write_adapted_checkpoint(base, recipe.architecture, recipe.labels, adapter, destination, scale)


def write_adapted_checkpoint(
    base: Path,
    architecture: str,
    labels: Sequence[str],
    adapter: Tensors,
    destination: Path,
    scale: float = 1.0,
) -> None:
    """Write a checkpoint of the encoder in the folder `base` with an adapter, or with a head alone."""
    config = json.loads((base / "config.json").read_text())
    tensors = _prefixed(load_file(base / "model.safetensors"), config["model_type"])
    merge(tensors, adapter, scale)
    save_file(tensors, destination / WEIGHTS_FILE, metadata={"format": "pt"})
    write_config(_adapted_config(config, architecture, labels), destination)
    copy_tokenizer(base, destination)


def merge(tensors: Tensors, adapter: Tensors, scale: float) -> None:
    """Add `scale * B A` to each adapted weight in place, and put in the tensors that were trained whole."""
    for name, values in adapter.items():
        target = name.removeprefix(PEFT_PREFIX)
        if target.endswith(".lora_A.weight"):
            weight = target.replace(".lora_A.weight", ".weight")
            factor_b = adapter[name.replace(".lora_A.", ".lora_B.")]
            delta = scale * (factor_b.astype(np.float64) @ values.astype(np.float64))
            tensors[weight] = (tensors[weight].astype(np.float64) + delta).astype(np.float32)
        elif not target.endswith(".lora_B.weight"):
            tensors[target] = values.astype(np.float32)


def _prefixed(tensors: Tensors, model_type: str) -> Tensors:
    kept = (name for name in tensors if not name.endswith("position_ids") and not name.startswith("pooler."))
    return {f"{model_type}.{name}": tensors[name] for name in kept}


def _adapted_config(base: dict[str, object], architecture: str, labels: Sequence[str]) -> dict[str, object]:
    kept = {name: value for name, value in base.items() if name not in INCIDENTAL_SETTINGS}
    return kept | {"architectures": [architecture], "dtype": "float32"} | label_settings(labels)
