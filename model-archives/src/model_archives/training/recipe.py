"""The recipe of a baseline: everything its weights depend on besides the code, read from its `config.json`."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model_archives.errors import BuildError


@dataclass(frozen=True)
class Lora:
    """Low-rank adaptation of every linear layer: delta = alpha / rank * B A."""

    rank: int
    alpha: int


@dataclass(frozen=True)
class Training:
    """Settings of the training. `held_out_share` of the groups, drawn by `seed`, is never trained on."""

    data: str
    epochs: int
    batch_size: int
    learning_rate: float
    max_tokens: int
    held_out_share: float
    seed: int


@dataclass(frozen=True)
class Recipe:
    """One baseline: an encoder with a LoRA adapter, or a small network with `network` as its sizes.

    `base` is the encoder whose tokenizer is read and whose vectors are adapted or projected; None for n-grams, whose
    `features` say how they are cut. `logit_correction` is added to the last bias after training, per label.
    """

    name: str
    task_type: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    architecture: str
    base: str | None
    max_tokens: int
    lora: Lora | None
    network: dict[str, Any]
    features: dict[str, Any]
    training: Training
    logit_correction: dict[str, float]
    folder: Path

    @property
    def weights_file(self) -> Path:
        """Trained weights in half precision: low-rank factors and head with peft's names, or a small network."""
        return self.folder / ("adapter.safetensors" if self.lora else "weights.safetensors")


def read_recipe(folder: Path) -> Recipe:
    """Read `folder/config.json`; raises BuildError naming what is missing or wrong."""
    path = folder / "config.json"
    try:
        return _recipe(folder, json.loads(path.read_text()))
    except FileNotFoundError as error:
        raise BuildError(f"{path} does not exist: a baseline is a folder with a config.json") from error
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise BuildError(f"{path} is not a recipe: {error!r}") from error


def _recipe(folder: Path, content: dict[str, Any]) -> Recipe:
    return Recipe(
        name=content["name"],
        task_type=content["task_type"],
        fields=tuple(content["fields"]),
        labels=tuple(content["labels"]),
        architecture=content["architecture"],
        base=content.get("base"),
        max_tokens=content["max_tokens"],
        lora=Lora(**content["lora"]) if "lora" in content else None,
        network=content.get("network", {}),
        features=content.get("features", {}),
        training=Training(**content["training"]),
        logit_correction=content.get("logit_correction", {}),
        folder=folder,
    )
