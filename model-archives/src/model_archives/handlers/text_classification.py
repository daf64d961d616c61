"""Text classification: one text in, a label with probabilities out."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .description import CONFIG_FILE, ONNX_FILE, TOKENIZER_FILE, Description
from .explanation_options import ExplanationOptions, explanation_options
from .onnx_predictor import Logits, OnnxPredictor, softmax
from .serving import Answer, Responder, TargetHandler, answer_alone, answer_together
from .token_weights import token_weights
from .tokenisation import EncodedText, TextTokenizer
from .wire import MAX_INSTANCES, InstanceError, Request, RequestError, text_field

if TYPE_CHECKING:
    from .explainer import Explainer

MAX_EXPLANATIONS = 16


@dataclass(frozen=True)
class ExplanationItem:
    """A text to explain; `label` None means the label that the model predicts."""

    text: str
    encoded: EncodedText
    label: str | None


class TextPredictions:
    """Predictions of several requests in one run of the graph."""

    max_instances = MAX_INSTANCES

    def __init__(self, tokenizer: TextTokenizer, predictor: OnnxPredictor, labels: Sequence[str]) -> None:
        self._tokenizer = tokenizer
        self._predictor = predictor
        self._labels = labels

    def answer(self, requests: Sequence[Request]) -> list[Answer | RequestError]:
        """One answer per request, its predictions in the order of its instances."""
        items = [self._encode(instance) for request in requests for instance in request.instances]
        predictions = iter(answer_together(items, self._predict))
        return [{"predictions": [next(predictions) for _ in request.instances]} for request in requests]

    def _encode(self, instance: Any) -> EncodedText | InstanceError:
        try:
            return self._tokenizer.encode(text_field(instance, "text"))
        except InstanceError as error:
            return error

    def _predict(self, texts: list[EncodedText]) -> list[Answer]:
        logits = self._predictor.logits(texts)
        return [self._prediction(text, row) for text, row in zip(texts, logits, strict=True)]

    def _prediction(self, text: EncodedText, logits: Logits) -> Answer:
        return scored_labels(logits, self._labels) | truncation_mark(text)


class TextExplanations:
    """Explanations one after another: each is a batch of its own."""

    max_instances = MAX_EXPLANATIONS

    def __init__(self, tokenizer: TextTokenizer, explainer: "Explainer", labels: Sequence[str]) -> None:
        self._tokenizer = tokenizer
        self._explainer = explainer
        self._labels = labels

    def answer(self, requests: Sequence[Request]) -> list[Answer | RequestError]:
        """One answer per request; unusable parameters refuse that request alone."""
        return [self._explanations(request) for request in requests]

    def _explanations(self, request: Request) -> Answer | RequestError:
        try:
            options = explanation_options(request.parameters)
        except RequestError as error:
            return error
        return {
            "explanations": [
                answer_alone(instance, lambda batch: [self._explanation(batch[0], options)])
                for instance in request.instances
            ]
        }

    def _explanation(self, instance: Any, options: ExplanationOptions) -> Answer:
        item = self._encode(instance)
        scored = scored_labels(np.asarray(self._explainer.logits(item.encoded)), self._labels)
        label = item.label or scored["label"]
        index = self._labels.index(label)
        attribution = self._explainer.explain(item.encoded, index, options.n_steps, options.tolerance)
        return {
            "label": label,
            "probability": scored["probabilities"][label],
            "tokens": token_weights(item.text, item.encoded, attribution.weights),
            "convergence_delta": attribution.delta,
            "difference": attribution.difference,
            "n_steps": attribution.steps,
            "method": options.method,
            "baseline": options.baseline,
        } | truncation_mark(item.encoded)

    def _encode(self, instance: Any) -> ExplanationItem:
        text = text_field(instance, "text")
        label = instance.get("label")
        if label is not None and label not in self._labels:
            raise InstanceError("unknown_label", f'"label" must be one of {", ".join(self._labels)}')
        return ExplanationItem(text, self._tokenizer.encode(text), label)


class TextClassificationHandler(TargetHandler):
    """Serves any archive of task type text-classification."""

    def load_predictor(self, folder: Path) -> Responder:
        """The ONNX graph with the checkpoint's tokenizer."""
        predictor = OnnxPredictor(folder / ONNX_FILE, pad_id(folder))
        return TextPredictions(load_tokenizer(folder, self.description), predictor, self.description.labels)

    def load_explainer(self, folder: Path) -> Responder:
        """The PyTorch model; Captum and transformers are imported only here."""
        from .explainer import Explainer

        explainer = Explainer(folder, pad_id(folder))
        return TextExplanations(load_tokenizer(folder, self.description), explainer, self.description.labels)


def load_tokenizer(folder: Path, description: Description) -> TextTokenizer:
    """The tokenizer, cutting where the archive says the model stops reading."""
    return TextTokenizer(folder / TOKENIZER_FILE, description.max_tokens)


def pad_id(folder: Path) -> int:
    """The padding token's id by the checkpoint's configuration; 0 where it names none."""
    configured = json.loads((folder / CONFIG_FILE).read_text(encoding="utf-8")).get("pad_token_id")
    return configured if isinstance(configured, int) else 0


def scored_labels(logits: Logits, labels: Sequence[str]) -> Answer:
    """The winning label and every label's probability; raises InstanceError for NaN or infinity."""
    if not np.isfinite(logits).all():
        raise InstanceError("prediction_failed", "the model's answer is not a finite number")
    probabilities = dict(zip(labels, softmax(logits), strict=True))
    return {"label": labels[int(logits.argmax())], "probabilities": probabilities}


def truncation_mark(text: EncodedText) -> Answer:
    """`"truncated": true` where the model read only the beginning of the text; otherwise nothing."""
    return {"truncated": True} if text.truncated else {}
