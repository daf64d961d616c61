"""Output of training: one safetensors file in half precision."""

from collections.abc import Mapping

import torch
from safetensors.torch import save_file

from model_archives.training.recipe import Recipe


def save_weights(recipe: Recipe, tensors: Mapping[str, torch.Tensor]) -> None:
    """Write the recipe's weights file, with its logit correction folded into the last bias of the classifier."""
    kept = dict(tensors)
    if recipe.logit_correction:
        bias = [name for name in kept if "classifier" in name and name.endswith(".bias")][-1]
        corrections = [recipe.logit_correction.get(label, 0.0) for label in recipe.labels]
        kept[bias] = kept[bias] + torch.tensor(corrections)
    halves = {name: tensor.half().contiguous() for name, tensor in kept.items()}
    save_file(halves, recipe.weights_file)
