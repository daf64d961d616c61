"""What the task types that choose among labels share: reading the fields, predicting, explaining one label."""

from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .description import ONNX_FILE
from .encoded_text import EncodedText
from .explanation_options import ExplanationOptions
from .explanations import Explanations, explanation
from .onnx_predictor import OnnxPredictor, Scores
from .predictions import Predictions
from .reading import load_reader, pad_id
from .serving import Answer, Responder, TargetHandler
from .wire import InstanceError, text_fields

if TYPE_CHECKING:
    from .explainer import Explainer, Quantity


class LabelHandler(TargetHandler):
    """Subclasses say what the scores mean; the archive says which fields and labels there are."""

    @abstractmethod
    def answer_from(self, scores: Scores) -> Answer:
        """The answer with a `probabilities` entry for every label; raises InstanceError for NaN or infinity."""

    @abstractmethod
    def explained(self, label: int) -> "Quantity":
        """The number per text that an explanation of the label takes apart."""

    def load_predictor(self, folder: Path) -> Responder:
        """The ONNX graph with the checkpoint's own way of reading text."""
        reader = load_reader(folder, self.description)
        predictor = OnnxPredictor(folder / ONNX_FILE, pad_id(folder))

        def encode(instance: Any) -> EncodedText:
            return reader.encode(*text_fields(instance, self.description.fields))

        def predict(texts: list[EncodedText]) -> list[Answer]:
            answers = map(self.answer_from, predictor.scores(texts))
            return [answer | truncation_mark(text) for answer, text in zip(answers, texts, strict=True)]

        return Predictions(encode, predict)

    def load_explainer(self, folder: Path) -> Responder:
        """The PyTorch model; Captum and torch are imported only here."""
        from .explainer import Explainer

        reader = load_reader(folder, self.description)
        explainer = Explainer(folder, pad_id(folder))

        def explain(instance: Any, options: ExplanationOptions) -> Answer:
            texts = text_fields(instance, self.description.fields)
            return self._explanation(explainer, reader.encode(*texts), texts, instance.get("label"), options)

        return Explanations(explain)

    def _explanation(
        self,
        explainer: "Explainer",
        encoded: EncodedText,
        texts: tuple[str, ...],
        wanted: Any,
        options: ExplanationOptions,
    ) -> Answer:
        labels = self.description.labels
        if wanted is not None and wanted not in labels:
            raise InstanceError("unknown_label", f'"label" must be one of {", ".join(labels)}')
        (scores,) = explainer.scores([encoded])
        probabilities = self.answer_from(scores)["probabilities"]
        label = wanted or most_probable(probabilities)
        quantity = self.explained(labels.index(label))
        attribution = explainer.explain(encoded, quantity, options.n_steps, options.tolerance)
        entry = explanation(
            label, probabilities[label], self.description.fields, texts, encoded, attribution, options
        )
        return entry | truncation_mark(encoded)


def most_probable(probabilities: Mapping[str, float]) -> str:
    """The label with the highest probability, the first of equals."""
    return max(probabilities, key=probabilities.__getitem__)


def truncation_mark(text: EncodedText) -> Answer:
    """`"truncated": true` where the model read only the beginning of the texts; otherwise nothing."""
    return {"truncated": True} if text.truncated else {}
