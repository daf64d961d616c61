"""Report of an evaluation: values, slices, failures, and whether the model gives one constant answer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from dynabench_tasks.metrics import METRICS
from dynabench_tasks.values import to_text

from evaluation.domain.diagnostics import is_suite, reports_by_test, share_passed
from evaluation.domain.intervals import Floats, by_cluster
from evaluation.domain.metrics import Answered, Measured, mean_of_items, metrics_of
from evaluation.domain.variants import FAIRNESS, ROBUSTNESS

CONSTANT_SHARE = 0.99
FEWEST_FOR_CONSTANT = 20
SWAPPED_SHARE = 0.6
MOST_CLUSTERS = 20_000
MOST_SLICES = 50
MOST_FAILURES_LISTED = 20


@dataclass(frozen=True)
class Report:
    """Values by metric, the performance metrics first; `failures` are the first items without a usable answer.

    `undefined` says why other metrics have no value. Of a diagnostic suite the value is the share of items that pass,
    as accuracy, and `tests` tells it test by test.
    """

    values: Mapping[str, Measured]
    failed_items: int
    failures: Sequence[str]
    constant_answer: str
    slices: Sequence[Mapping[str, Any]]
    tests: Sequence[Mapping[str, Any]] = ()
    undefined: Mapping[str, str] = field(default_factory=dict)


def report(answered: Answered, performance: Sequence[str], primary: str) -> Report:
    """Return the report; `performance` are the metrics that fit the task's answers, `primary` is among them."""
    failures = [
        item.item_id for item, answer in zip(answered.items, answered.answers, strict=True) if answer is None
    ]
    if is_suite(answered.items):
        return Report(
            {"accuracy": share_passed(answered)},
            len(failures),
            failures[:MOST_FAILURES_LISTED],
            _constant(answered),
            (),
            reports_by_test(answered),
        )
    names = [*performance, FAIRNESS, ROBUSTNESS]
    values = metrics_of(names, answered)
    return Report(
        values,
        len(failures),
        failures[:MOST_FAILURES_LISTED],
        _constant(answered),
        _slices(answered, primary),
        undefined={name: METRICS[name].undefined_reason for name in names if name not in values},
    )


def report_of_scores(scores: Floats, answered: Answered, primary: str) -> Report:
    """Return the report of scores, 0 to 1, that were given in place of answers: the metric is their mean."""
    return Report({primary: mean_of_items(scores, answered)}, 0, (), "", ())


def packed(measured: Measured) -> bytes:
    """Return the influences as 32-bit floats, little-endian; those of many clusters in at most 20,000 sums.

    Neighbouring clusters are summed: a sum of independent clusters is a cluster.
    """
    influences = measured.influences
    if len(influences) > MOST_CLUSTERS:
        places = np.arange(len(influences)) * MOST_CLUSTERS // len(influences)
        influences = by_cluster(influences, places)
    return influences.astype("<f4").tobytes()


def swapped_labels(answered: Answered) -> Mapping[str, str]:
    """Map each answered label to the intended one, if a model has the labels in another order than the task.

    The labels count as swapped if the model answers each mostly to items of one other label. The mapped answers must
    also be right on at least 60 % of the items, and twice as often as now. Otherwise the mapping is empty.
    """
    pairs = Counter(
        (text, to_text(item.golds[0]))
        for item, text in zip(answered.items, answered.answer_texts(), strict=True)
        if text is not None and text in answered.labels and len(item.golds) == 1
    )
    meant: dict[str, str] = {}
    for (text, gold), _ in pairs.most_common():
        meant.setdefault(text, gold)
    would_be = sum(pairs[pair] for pair in meant.items())
    are = sum(pairs[label, label] for label in meant)
    is_order = len(meant) > 1 and set(meant) == set(meant.values())
    is_plain = (
        would_be >= max(SWAPPED_SHARE * len(answered.items), 2 * are) and pairs.total() >= FEWEST_FOR_CONSTANT
    )
    return meant if is_order and is_plain else {}


def _constant(answered: Answered) -> str:
    texts = [text for text in answered.answer_texts() if text is not None]
    if len(texts) < FEWEST_FOR_CONSTANT:
        return ""
    answer, number = Counter(texts).most_common(1)[0]
    return answer if number > CONSTANT_SHARE * len(answered.items) else ""


def _slices(answered: Answered, primary: str) -> Sequence[Mapping[str, Any]]:
    """Return the primary metric's value of each tag, those with most items first."""
    by_tag: dict[str, list[int]] = {}
    for number, item in enumerate(answered.items):
        for tag in item.tags:
            by_tag.setdefault(tag, []).append(number)
    most = sorted(by_tag.items(), key=lambda pair: (-len(pair[1]), pair[0]))[:MOST_SLICES]
    return [found for tag, numbers in most if (found := _slice(answered, primary, tag, numbers)) is not None]


def _slice(answered: Answered, primary: str, tag: str, numbers: Sequence[int]) -> Mapping[str, Any] | None:
    _, clusters = np.unique(answered.clusters[list(numbers)], return_inverse=True)
    part = Answered(
        [answered.items[number] for number in numbers],
        [answered.answers[number] for number in numbers],
        (),
        clusters,
        answered.labels,
        answered.languages,
    )
    metric = primary
    measured = metrics_of([primary], part).get(primary)
    if measured is None:
        metric, measured = "accuracy", metrics_of(["accuracy"], part).get("accuracy")
    if measured is None:
        return None
    ends = measured.ends
    return {
        "tag": tag,
        "metric": metric,
        "value": measured.value,
        "n": measured.n,
        "low": None if ends.reason else ends.low,
        "high": None if ends.reason else ends.high,
        "reason": ends.reason or None,
    }
