"""Layer integrated gradients over the embedding layer, by Captum, on the PyTorch model.

The explained quantity is the log-odds of a label, `log(p / (1 - p))`: unlike a probability it does not
saturate, so twenty Gauss-Legendre steps usually suffice. The baseline replaces every content token by the
padding token, so special tokens get no weight and the weights add up to the difference between the two texts.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from captum.attr import LayerIntegratedGradients

from .classifier import load_classifier
from .explanation_options import MAX_STEPS
from .tokenisation import EncodedText

LOWER_PRIORITY = 10
DEFAULT_STEPS = 20
# Tokens per forward pass: short texts in one pass, 128 tokens in passes of about eight steps.
TOKEN_BUDGET = 1024


@dataclass(frozen=True)
class Attribution:
    """A weight per input position. `delta` = sum of weights - `difference`, the change from the baseline."""

    weights: list[float]
    delta: float
    difference: float
    steps: int


class Explainer:
    """The PyTorch twin of the ONNX graph; runs at lower priority so that predictions keep the processor."""

    def __init__(self, folder: Path, pad_id: int) -> None:
        os.nice(LOWER_PRIORITY)
        torch.set_num_threads(1)
        self._model = load_classifier(folder).requires_grad_(False)
        self._pad_id = pad_id
        self._gradients = LayerIntegratedGradients(self._log_odds, self._model.get_input_embeddings())

    def logits(self, text: EncodedText) -> list[float]:
        """The model's scores per label, without gradients."""
        ids, type_ids = _tensor(text.ids), _tensor(text.type_ids)
        with torch.inference_mode():
            values: list[float] = self._forward(ids, type_ids)[0].tolist()
        return values

    def explain(self, text: EncodedText, label: int, steps: int | None, tolerance: float) -> Attribution:
        """With `steps` None, start at the default and double while the delta is over `tolerance` × difference."""
        if steps is not None:
            return self._attribute(text, label, steps)
        steps = DEFAULT_STEPS
        attribution = self._attribute(text, label, steps)
        while abs(attribution.delta) > tolerance * abs(attribution.difference) and steps < MAX_STEPS:
            steps *= 2
            attribution = self._attribute(text, label, steps)
        return attribution

    def _attribute(self, text: EncodedText, label: int, steps: int) -> Attribution:
        content = {token.position for token in text.tokens}
        baseline = [self._pad_id if index in content else token for index, token in enumerate(text.ids)]
        attributions, delta = self._gradients.attribute(
            _tensor(text.ids),
            baselines=_tensor(baseline),
            additional_forward_args=(_tensor(text.type_ids), label),
            n_steps=steps,
            method="gausslegendre",
            internal_batch_size=max(1, min(steps, TOKEN_BUDGET // len(text))),
            return_convergence_delta=True,
        )
        weights: list[float] = attributions.sum(dim=-1)[0].tolist()
        return Attribution(weights, float(delta), sum(weights) - float(delta), steps)

    def _forward(self, ids: torch.Tensor, type_ids: torch.Tensor) -> torch.Tensor:
        inputs: dict[str, Any] = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
        if getattr(self._model.config, "type_vocab_size", 0) > 1:
            inputs["token_type_ids"] = type_ids
        logits: torch.Tensor = self._model(**inputs).logits
        return logits

    def _log_odds(self, ids: torch.Tensor, type_ids: torch.Tensor, label: int) -> torch.Tensor:
        logits = self._forward(ids, type_ids)
        others = [index for index in range(logits.shape[-1]) if index != label]
        return logits[:, label] - torch.logsumexp(logits[:, others], dim=-1)


def _tensor(values: list[int]) -> torch.Tensor:
    return torch.tensor([values])
