"""Weights of a small network → a checkpoint that needs nothing else.

A network over word pieces is kept without its vectors: these are the base encoder's, rounded to half precision and
projected to fewer numbers, and only the projection is trained and kept. That makes a table of 30,522 vectors out of
a hundred kilobytes. The product is made in double precision, where it is exact but for the last rounding.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file, save_file

from model_archives.base_encoders import base_encoder_folder
from model_archives.checkpoint_files import copy_tokenizer, label_settings, write_config
from model_archives.handlers.description import WEIGHTS_FILE
from model_archives.handlers.ngrams import RESERVED
from model_archives.training.recipe import Recipe

BASE_VECTORS = "embeddings.word_embeddings.weight"
PROJECTION = "projection"
VECTORS = "embeddings.weight"
Halves = npt.NDArray[np.float16]


def write_small_checkpoint(recipe: Recipe, destination: Path) -> None:
    """Write config, weights and, where words are read in pieces, the tokenizer into the folder `destination`."""
    kept = load_file(recipe.weights_file)
    tensors = {name: values.astype(np.float32) for name, values in kept.items() if name != PROJECTION}
    config: dict[str, Any] = {"architectures": [recipe.architecture]} | label_settings(recipe.labels)
    if recipe.features:
        config["features"] = recipe.features
    else:
        tensors[VECTORS] = projected(base_vectors(recipe), kept[PROJECTION])
        copy_tokenizer(base_encoder_folder(recipe.base), destination)
    config["network"] = network_sizes(recipe)
    config["pad_token_id"] = 0
    save_file(tensors, destination / WEIGHTS_FILE, metadata={"format": "pt"})
    write_config(config, destination)


def network_sizes(recipe: Recipe) -> dict[str, Any]:
    """The arguments of the network: the recipe's sizes, the rows of its vector table and its outputs."""
    rows = RESERVED + recipe.features["buckets"] if recipe.features else len(base_vectors(recipe))
    return {"vocabulary": rows, "labels": len(recipe.labels)} | recipe.network


def base_vectors(recipe: Recipe) -> Halves:
    """The base encoder's word-piece vectors in half precision."""
    folder = base_encoder_folder(recipe.base)
    return np.asarray(load_file(folder / "model.safetensors")[BASE_VECTORS], dtype=np.float16)


def projected(vectors: Halves, projection: Halves) -> npt.NDArray[np.float32]:
    """`vectors @ projection`, in single precision."""
    return (vectors.astype(np.float64) @ projection.astype(np.float64)).astype(np.float32)
