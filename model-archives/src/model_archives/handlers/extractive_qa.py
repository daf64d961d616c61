"""Extractive question answering: the slice of the passage that answers a question.

Only slices of the passage can be answers, in one piece and of at most thirty tokens; there is no "no answer".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .description import ONNX_FILE
from .explanation_options import ExplanationOptions
from .explanations import Explanations, explanation
from .onnx_predictor import OnnxPredictor, Scores
from .predictions import Predictions
from .probabilities import DIGITS, Logits, finite
from .reading import pad_id
from .serving import Answer, Responder, TargetHandler
from .tokenisation import declared_reading
from .windows import PASSAGE, WindowedText, WindowTokenizer
from .wire import InstanceError, text_fields

if TYPE_CHECKING:
    from .explainer import Explainer

LONGEST_ANSWER = 30
SIDES = ("start", "end")


@dataclass(frozen=True)
class QuestionItem:
    """One instance as sent and as the model reads it."""

    texts: tuple[str, ...]
    windowed: WindowedText


class ExtractiveQaHandler(TargetHandler):
    """Serves any archive of task type extractive-qa."""

    def load_predictor(self, folder: Path) -> Responder:
        """The ONNX graph; the windows of all instances share its runs."""
        tokenizer = WindowTokenizer(declared_reading(folder), self.description.max_tokens)
        predictor = OnnxPredictor(folder / ONNX_FILE, pad_id(folder))

        def predict(items: list[QuestionItem]) -> list[Answer]:
            windows = [window for item in items for window in item.windowed.windows]
            scores = iter(predictor.scores(windows))
            return [_answer(item, [next(scores) for _ in item.windowed.windows]) for item in items]

        return Predictions(lambda instance: self._read(tokenizer, instance), predict)

    def load_explainer(self, folder: Path) -> Responder:
        """The PyTorch model; Captum and torch are imported only here."""
        from .explainer import Explainer

        tokenizer = WindowTokenizer(declared_reading(folder), self.description.max_tokens)
        explainer = Explainer(folder, pad_id(folder))

        def explain(instance: Any, options: ExplanationOptions) -> Answer:
            item = self._read(tokenizer, instance)
            side = _side(instance.get("label"))
            given = _given_answer(instance.get("answer"), item)
            return self._explanation(explainer, item, side, given, options)

        return Explanations(explain)

    def _read(self, tokenizer: WindowTokenizer, instance: Any) -> QuestionItem:
        texts = text_fields(instance, self.description.fields)
        windowed = tokenizer.encode(*texts)
        if not windowed.passage:
            raise InstanceError("empty_text", f'"{self.description.fields[PASSAGE]}" has nothing to mark')
        return QuestionItem(texts, windowed)

    def _explanation(
        self,
        explainer: "Explainer",
        item: QuestionItem,
        side: int,
        given: tuple[int, int] | None,
        options: ExplanationOptions,
    ) -> Answer:
        from .explainer import position_log_probability

        windowed = item.windowed
        first_and_last = given or best_span(windowed, explainer.scores(windowed.windows))[:2]
        token = windowed.passage[first_and_last[side]]
        window = windowed.windows[token.window]
        allowed = [other.position for other in window.tokens if other.field == PASSAGE]
        (scores,) = explainer.scores([window])
        probability = _position_probability(finite(scores)[:, side], token.position, allowed)
        quantity = position_log_probability(token.position, side, allowed)
        attribution = explainer.explain(window, quantity, options.n_steps, options.tolerance)
        fields = self.description.fields
        entry = explanation(SIDES[side], probability, fields, item.texts, window, attribution, options)
        return entry | _truncation_mark(windowed)


def best_span(text: WindowedText, scores: Sequence[Scores]) -> tuple[int, int, float]:
    """First and last passage token of the best answer, and its probability among all answers of allowed length."""
    logits = [finite(window) for window in scores]
    start, end = np.array([logits[token.window][token.position] for token in text.passage]).T
    reach = min(LONGEST_ANSWER, len(start))
    padded = np.concatenate([end, np.full(reach, -np.inf)])
    # joint[i, k]: the answer from token i to token i + k.
    joint = start[:, None] + np.lib.stride_tricks.sliding_window_view(padded, reach)[: len(start)]
    first, further = np.unravel_index(int(joint.argmax()), joint.shape)
    probability = 1 / np.exp(joint - joint.max()).sum()
    return int(first), int(first + further), round(float(probability), DIGITS)


def _answer(item: QuestionItem, scores: Sequence[Scores]) -> Answer:
    first, last, probability = best_span(item.windowed, scores)
    passage = item.texts[PASSAGE]
    start, end = item.windowed.passage[first].span[0], item.windowed.passage[last].span[1]
    answer = {"start": start, "end": end, "text": passage[start:end], "probability": probability}
    return answer | _truncation_mark(item.windowed)


def _position_probability(logits: Logits, position: int, allowed: Sequence[int]) -> float:
    among = logits[list(allowed)]
    return round(float(np.exp(logits[position] - among.max()) / np.exp(among - among.max()).sum()), DIGITS)


def _side(label: Any) -> int:
    if label is None:
        return 0
    if label not in SIDES:
        raise InstanceError("unknown_label", f'"label" must be one of {", ".join(SIDES)}')
    return SIDES.index(label)


def _given_answer(answer: Any, item: QuestionItem) -> tuple[int, int] | None:
    if answer is None:
        return None
    start, end = (answer.get(side) for side in SIDES) if isinstance(answer, dict) else (None, None)
    length = len(item.texts[PASSAGE])
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= length:
        raise InstanceError(
            "invalid_answer", f'"answer" must have whole numbers "start" < "end" within 0 and {length}'
        )
    covered = item.windowed.covering(start, end)
    if covered is None:
        raise InstanceError("invalid_answer", '"answer" covers no token of the passage')
    return covered


def _truncation_mark(text: WindowedText) -> Answer:
    return {"truncated": True} if text.truncated else {}
