"""Multilabel classification: any of the labels that apply, at least one, each with a probability of its own."""

from typing import TYPE_CHECKING

from .label_handler import LabelHandler, most_probable
from .onnx_predictor import Scores
from .probabilities import finite, sigmoid
from .serving import Answer

if TYPE_CHECKING:
    from .explainer import Quantity

THRESHOLD = 0.5


class MultilabelClassificationHandler(LabelHandler):
    """Serves any archive of task type multilabel-classification."""

    def answer_from(self, scores: Scores) -> Answer:
        """The labels from one half upwards, sorted; where none is, the most probable one."""
        probabilities = dict(zip(self.description.labels, sigmoid(finite(scores)), strict=True))
        chosen = sorted(label for label, probability in probabilities.items() if probability >= THRESHOLD)
        return {"labels": chosen or [most_probable(probabilities)], "probabilities": probabilities}

    def explained(self, label: int) -> "Quantity":
        """The label's own log-odds."""
        from .explainer import own_log_odds

        return own_log_odds(label)
