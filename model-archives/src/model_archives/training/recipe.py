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
    """How the adapter was fitted. `held_out_share` of the data is never trained on, drawn by `seed`."""

    data: str
    epochs: int
    batch_size: int
    learning_rate: float
    max_tokens: int
    held_out_share: float
    seed: int


@dataclass(frozen=True)
class Recipe:
    """One baseline. `logit_correction` is added to the classifier's bias after training, per label."""

    name: str
    task_type: str
    base: str
    labels: tuple[str, ...]
    max_tokens: int
    lora: Lora
    training: Training
    logit_correction: dict[str, float]
    folder: Path

    @property
    def adapter_file(self) -> Path:
        """Low-rank factors and head in half precision, with peft's names."""
        return self.folder / "adapter.safetensors"


def read_recipe(folder: Path) -> Recipe:
    """Read `folder/config.json`; raises BuildError naming what is missing or wrong."""
    path = folder / "config.json"
    try:
        fields: dict[str, Any] = json.loads(path.read_text())
        return Recipe(
            name=fields["name"],
            task_type=fields["task_type"],
            base=fields["base"],
            labels=tuple(fields["labels"]),
            max_tokens=fields["max_tokens"],
            lora=Lora(**fields["lora"]),
            training=Training(**fields["training"]),
            logit_correction=fields["logit_correction"],
            folder=folder,
        )
    except FileNotFoundError as error:
        raise BuildError(f"{path} does not exist: a baseline is a folder with a config.json") from error
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise BuildError(f"{path} is not a recipe: {error!r}") from error
