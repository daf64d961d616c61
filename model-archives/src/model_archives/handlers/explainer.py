"""Layer integrated gradients over the embedding layer, by Captum, on the PyTorch model.

The explained quantity is a log-odds or a log-probability: unlike a probability it does not saturate, so twenty
Gauss-Legendre steps usually suffice. The baseline replaces every content token by the padding token, so special
tokens get no weight and the weights add up to the difference between the two texts.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from captum.attr import LayerIntegratedGradients

from .attribution import Attribution
from .encoded_text import EncodedText
from .explanation_options import MAX_STEPS
from .networks import load_network
from .onnx_predictor import Scores

LOWER_PRIORITY = 10
DEFAULT_STEPS = 20
# Tokens per forward pass: short texts in one pass, 128 tokens in passes of about eight steps.
TOKEN_BUDGET = 1024
# From the scores of a batch to one number per row.
Quantity = Callable[[torch.Tensor], torch.Tensor]


class Explainer:
    """The PyTorch twin of the ONNX graph; runs at lower priority so that predictions keep the processor."""

    def __init__(self, folder: Path, pad_id: int) -> None:
        os.nice(LOWER_PRIORITY)
        torch.set_num_threads(1)
        self._network = load_network(folder).requires_grad_(False)
        self._pad_id = pad_id

    def scores(self, texts: Sequence[EncodedText]) -> list[Scores]:
        """The model's scores for each text, without gradients."""
        with torch.inference_mode():
            return [
                np.asarray(self._forward(_tensor(text.ids), _tensor(text.type_ids))[0].numpy())
                for text in texts
            ]

    def explain(
        self, text: EncodedText, quantity: Quantity, steps: int | None, tolerance: float
    ) -> Attribution:
        """With `steps` None, start at the default and double while the delta is over `tolerance` × difference."""
        if steps is not None:
            return self._attribute(text, quantity, steps)
        steps = DEFAULT_STEPS
        attribution = self._attribute(text, quantity, steps)
        while abs(attribution.delta) > tolerance * abs(attribution.difference) and steps < MAX_STEPS:
            steps *= 2
            attribution = self._attribute(text, quantity, steps)
        return attribution

    def _attribute(self, text: EncodedText, quantity: Quantity, steps: int) -> Attribution:
        content = {token.position for token in text.tokens}
        baseline = [self._pad_id if index in content else token for index, token in enumerate(text.ids)]
        gradients = LayerIntegratedGradients(
            lambda ids, type_ids: quantity(self._forward(ids, type_ids)), self._network.embeddings
        )
        attributions, delta = gradients.attribute(
            _tensor(text.ids),
            baselines=_tensor(baseline),
            additional_forward_args=(_tensor(text.type_ids),),
            n_steps=steps,
            method="gausslegendre",
            internal_batch_size=max(1, min(steps, TOKEN_BUDGET // len(text))),
            return_convergence_delta=True,
        )
        weights: list[float] = attributions.sum(dim=-1)[0].tolist()
        return Attribution(weights, float(delta), sum(weights) - float(delta), steps)

    def _forward(self, ids: torch.Tensor, type_ids: torch.Tensor) -> torch.Tensor:
        scores: torch.Tensor = self._network(ids, torch.ones_like(ids), type_ids)
        return scores


def log_odds(label: int) -> Quantity:
    """`log(p / (1 - p))` of one label among labels that exclude each other."""

    def quantity(logits: torch.Tensor) -> torch.Tensor:
        others = [index for index in range(logits.shape[-1]) if index != label]
        return logits[:, label] - torch.logsumexp(logits[:, others], dim=-1)

    return quantity


def own_log_odds(label: int) -> Quantity:
    """`log(p / (1 - p))` of one label that stands for itself: its logit."""
    return lambda logits: logits[:, label]


def position_log_probability(position: int, side: int, allowed: Sequence[int]) -> Quantity:
    """`log p` of a position as start (side 0) or end (side 1) of an answer, among the allowed positions."""
    return lambda scores: scores[:, position, side] - torch.logsumexp(scores[:, list(allowed), side], dim=-1)


def _tensor(values: list[int]) -> torch.Tensor:
    return torch.tensor([values])
