"""Fit a small network from nothing but the base encoder's word-piece vectors, or from nothing at all."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file

from model_archives.handlers.small_networks import SMALL_NETWORKS
from model_archives.small_checkpoints import PROJECTION, base_vectors, network_sizes
from model_archives.training.fitting import FittingExample, Loss, Progress, fit, save_weights
from model_archives.training.recipe import Recipe


class ProjectedVectors(torch.nn.Module):  # type: ignore[misc] # untyped base
    """Replaces a network's vectors during training: a fixed table, and a projection that learns."""

    def __init__(self, table: torch.Tensor, width: int) -> None:
        super().__init__()
        self.table = table
        self.projection = torch.nn.Linear(table.shape[1], width, bias=False)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """The projected vectors of the ids."""
        return self.projection(self.table[ids])


def fit_small_network(
    recipe: Recipe,
    examples: Sequence[FittingExample],
    loss: Loss,
    progress: Progress,
    start_from: Path | None = None,
) -> None:
    """Train, from nothing or from the weights of a file, and write the weights file."""
    network = SMALL_NETWORKS[recipe.architecture](**network_sizes(recipe))
    if recipe.base:
        table = torch.from_numpy(base_vectors(recipe).astype(np.float32))
        network.embeddings = ProjectedVectors(table, recipe.network["width"])
    if start_from is not None:
        _begin_with(network, start_from)
    fit(network, lambda batch: network(**batch), loss, examples, recipe.training, progress)
    tensors = dict(network.state_dict())
    if recipe.base:
        tensors[PROJECTION] = tensors.pop("embeddings.projection.weight").T
    save_weights(recipe, tensors)


def _begin_with(network: torch.nn.Module, weights: Path) -> None:
    """Load trained weights; fixed ones, such as a table of vectors, are not among them."""
    tensors = {name: tensor.float() for name, tensor in load_file(weights).items()}
    if PROJECTION in tensors:
        tensors["embeddings.projection.weight"] = tensors.pop(PROJECTION).T
    network.load_state_dict({**network.state_dict(), **tensors})
