"""Fit a LoRA adapter and a head on a frozen encoder."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model, get_peft_model_state_dict, set_peft_model_state_dict
from safetensors.torch import load_file
from transformers import AutoModelForQuestionAnswering

from model_archives.base_encoders import base_encoder_folder
from model_archives.handlers.encoders import OWN_ENCODERS, EncoderScores
from model_archives.training.fitting import FittingExample, Loss, Progress, fit, save_weights
from model_archives.training.recipe import Lora, Recipe

HEADS = ("classifier", "qa_outputs")


def fit_adapter(
    recipe: Recipe,
    lora: Lora,
    examples: Sequence[FittingExample],
    loss: Loss,
    progress: Progress,
    start_from: Path | None = None,
) -> None:
    """Train, from nothing or from the adapter of a file, and write the adapter file."""
    model = _adapted_model(recipe, lora)
    if start_from is not None:
        tensors = {name: tensor.float() for name, tensor in load_file(start_from).items()}
        set_peft_model_state_dict(model, tensors)
    scores = EncoderScores(model)
    fit(model, lambda batch: scores(**batch), loss, examples, recipe.training, progress)
    save_weights(recipe, get_peft_model_state_dict(model))


def _adapted_model(recipe: Recipe, lora: Lora) -> PeftModel:
    loader: Any = OWN_ENCODERS.get(recipe.architecture, AutoModelForQuestionAnswering)
    sizes = {"num_labels": len(recipe.labels)} if recipe.labels else {}
    base = loader.from_pretrained(base_encoder_folder(recipe.base), dtype=torch.float32, **sizes)
    configuration = LoraConfig(
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=0.0,
        target_modules=["query", "key", "value", "dense"],
        modules_to_save=[head for head in HEADS if hasattr(base, head)],
    )
    return get_peft_model(base, configuration)
