"""The PyTorch network of a checkpoint folder, whatever its architecture; only explaining and packaging load it."""

import json
from pathlib import Path

import torch
from safetensors.torch import load_file

from .description import CONFIG_FILE, WEIGHTS_FILE
from .small_networks import SMALL_NETWORKS


def load_network(folder: Path) -> torch.nn.Module:
    """Ready to evaluate: `forward(input_ids, attention_mask, token_type_ids)` gives scores, `embeddings` is a layer."""
    config = json.loads((folder / CONFIG_FILE).read_text(encoding="utf-8"))
    architecture = config["architectures"][0]
    if architecture not in SMALL_NETWORKS:
        from .encoders import load_encoder

        return load_encoder(folder, architecture).eval()
    network = SMALL_NETWORKS[architecture](**config["network"])
    network.load_state_dict(load_file(folder / WEIGHTS_FILE))
    return network.eval()
