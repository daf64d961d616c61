"""Classification of one text, or of several read together: one label with the probabilities of all."""

from typing import TYPE_CHECKING

from .label_handler import LabelHandler
from .onnx_predictor import Scores
from .probabilities import finite, softmax
from .serving import Answer

if TYPE_CHECKING:
    from .explainer import Quantity


class TextClassificationHandler(LabelHandler):
    """Serves any archive of task type text-classification or text-pair-classification."""

    def answer_from(self, scores: Scores) -> Answer:
        """The winning label and every label's probability."""
        labels = self.description.labels
        probabilities = dict(zip(labels, softmax(finite(scores)), strict=True))
        return {"label": labels[int(scores.argmax())], "probabilities": probabilities}

    def explained(self, label: int) -> "Quantity":
        """The log-odds against all other labels together."""
        from .explainer import log_odds

        return log_odds(label)
