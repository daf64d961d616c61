"""Base encoder + LoRA adapter → a plain Hugging Face checkpoint that needs neither peft nor this project.

The sum is made in double precision from half-precision factors, where it is exact but for the last rounding: the
same adapter gives the same bytes, hence the same digest, on every processor.
"""

import json
import shutil
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file, save_file

from model_archives.base_encoders import base_encoder_folder
from model_archives.errors import BuildError
from model_archives.training.recipe import Recipe

PEFT_PREFIX = "base_model.model."
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json")
# Written by the library version of the day, without influence on what the model computes.
INCIDENTAL_SETTINGS = ("_name_or_path", "transformers_version", "gradient_checkpointing")
Tensors = dict[str, npt.NDArray[np.float32]]


def write_merged_checkpoint(recipe: Recipe, destination: Path) -> None:
    """Write config, weights and tokenizer of the adapted model into the folder `destination`."""
    if not recipe.adapter_file.is_file():
        raise BuildError(
            f"{recipe.adapter_file} is missing: run `python -m model_archives train {recipe.name}`"
        )
    base = base_encoder_folder(recipe.base)
    config = json.loads((base / "config.json").read_text())
    tensors = _prefixed(load_file(base / "model.safetensors"), config["model_type"])
    merge(tensors, load_file(recipe.adapter_file), recipe.lora.alpha / recipe.lora.rank)
    save_file(tensors, destination / "model.safetensors", metadata={"format": "pt"})
    (destination / "config.json").write_text(json.dumps(_classifier_config(config, recipe), indent=2) + "\n")
    for name in TOKENIZER_FILES:
        shutil.copyfile(base / name, destination / name)


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


def _classifier_config(base: dict[str, object], recipe: Recipe) -> dict[str, object]:
    kept = {name: value for name, value in base.items() if name not in INCIDENTAL_SETTINGS}
    return kept | {
        "architectures": ["MeanPooledBertForSequenceClassification"],
        "dtype": "float32",
        "id2label": {str(index): label for index, label in enumerate(recipe.labels)},
        "label2id": {label: index for index, label in enumerate(recipe.labels)},
    }
