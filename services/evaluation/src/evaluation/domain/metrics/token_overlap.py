"""Metrics for text answers: exact match after normalisation, and shared tokens with a gold."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from dynabench_tasks.text_f1 import TextF1
from dynabench_tasks.token_f1 import normalised_tokens, token_f1
from dynabench_tasks.values import Value

from evaluation.domain.intervals import Floats, share_interval
from evaluation.domain.metrics import ITEM_METRICS, Answered, ItemMetric, Measured, MetricCard, mean_of_items
from evaluation.domain.resampling import Ratios, mean_of

SOURCE = "SQuAD's evaluation script, Rajpurkar et al. 2016."
EXACT_CARD = MetricCard(
    "The share of items whose answer is equal to a gold, in small letters and without punctuation and articles.",
    "0 to 100 %, higher is better",
    "One word too many is as wrong as another answer.",
    SOURCE,
)
F1_CARD = MetricCard(
    "The F1 of the answer's tokens against a gold's, the best over golds, and the mean over items.",
    "0 to 100 %, higher is better",
    "Long answers get part of the score by chance.",
    SOURCE,
)
TEXT_F1_CARD = MetricCard(
    "The F1 of the answer's tokens against a gold's by the rule of the task's languages, the best over golds, and the "
    "mean over items. Signs, symbols and marks in numbers count; in languages without spaces a token is a character.",
    "0 to 100 %, higher is better",
    "Long answers get part of the score by chance, and shared characters more than shared words.",
    "Rajpurkar et al. 2016; Lewis et al., MLQA, 2020; this platform's rule for numbers and symbols.",
)


def text_of(value: Value) -> str:
    """Return the text of a span, or a text itself."""
    return str(value["text"]) if isinstance(value, dict) else str(value)


def best(value: Value | None, golds: tuple[Value, ...], score: Callable[[str, str], float]) -> float:
    """Return the best score over golds, 0 without an answer."""
    if value is None:
        return 0.0
    return max((score(text_of(value), text_of(gold)) for gold in golds), default=0.0)


def _scores(answered: Answered, score: Callable[[str, str], float]) -> Floats:
    pairs = zip(answered.answers, answered.items, strict=True)
    return np.array([best(answer, item.golds, score) for answer, item in pairs], dtype=np.float64)


def _equal(answer: str, gold: str) -> float:
    return float(normalised_tokens(answer) == normalised_tokens(gold))


def measure_exact(answered: Answered) -> Measured | None:
    """Return the share of answers that are equal to a gold."""
    if not answered.items:
        return None
    scores = _scores(answered, _equal)
    return replace(mean_of_items(scores, answered), ends=share_interval(scores, answered.clusters))


def measure_f1(answered: Answered) -> Measured | None:
    """Return the mean token F1."""
    return mean_of_items(_scores(answered, token_f1), answered) if answered.items else None


def measure_text_f1(answered: Answered) -> Measured | None:
    """Return the mean text F1 in the task's languages."""
    found = text_ratios(answered)
    return mean_of_items(found.hits[:, 0], answered) if found else None


def text_ratios(answered: Answered) -> Ratios | None:
    """Return the mean text F1 as ratios."""
    return ratios(answered, TextF1(answered.languages))


def ratios(answered: Answered, score: Callable[[str, str], float]) -> Ratios | None:
    """Return the mean of a score of answers as ratios."""
    return mean_of(_scores(answered, score)) if answered.items else None


ITEM_METRICS.register("exact_match")(
    ItemMetric("exact_match", EXACT_CARD, measure_exact, partial(ratios, score=_equal))
)
ITEM_METRICS.register("squad_f1")(
    ItemMetric("squad_f1", F1_CARD, measure_f1, partial(ratios, score=token_f1))
)
ITEM_METRICS.register("text_f1")(ItemMetric("text_f1", TEXT_F1_CARD, measure_text_f1, text_ratios))
