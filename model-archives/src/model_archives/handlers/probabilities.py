"""Scores → probabilities, to six digits: the same text gets the same figure alone and in any batch."""

import numpy as np
import numpy.typing as npt

from .onnx_predictor import Scores
from .wire import InstanceError

DIGITS = 6
Logits = npt.NDArray[np.float64]


def finite(scores: Scores) -> Logits:
    """The scores in double precision; raises InstanceError for NaN or infinity."""
    if not np.isfinite(scores).all():
        raise InstanceError("prediction_failed", "the model's answer is not a finite number")
    return scores.astype(np.float64)


def softmax(logits: Logits) -> list[float]:
    """Probabilities of alternatives, which add up to one."""
    scaled = np.exp(logits - logits.max())
    return [round(float(value), DIGITS) for value in scaled / scaled.sum()]


def sigmoid(logits: Logits) -> list[float]:
    """Probabilities of labels that stand for themselves."""
    return [round(float(value), DIGITS) for value in 1 / (1 + np.exp(-np.clip(logits, -700, 700)))]
