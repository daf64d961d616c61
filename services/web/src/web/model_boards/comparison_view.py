"""View of a comparison of two models."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import starmap

from dynabench_client.results.models import (
    ComparedTag,
    MetricDifference,
    ModelComparison,
)

from web.kit.language import _
from web.kit.numbers import MISSING, count, decimal
from web.kit.service_words import service_words
from web.kit.words import METRICS

CERTAIN = 0.05


@dataclass(frozen=True)
class TagView:
    """Wins and losses among the items of a tag."""

    tag: str
    n: str
    only_first: str
    only_second: str
    p: str


@dataclass(frozen=True)
class MetricView:
    """Both models by a metric; `interval` has the reason if there is no interval."""

    name: str
    first: str
    second: str
    difference: str
    interval: str
    p: str
    is_certain: bool


@dataclass(frozen=True)
class ComparisonView:
    """The comparison: counts, and the difference with its interval."""

    first: str
    second: str
    n: str
    contexts: str
    shares_contexts: bool
    both: str
    neither: str
    only_first: str
    only_second: str
    agree: str
    both_wrong_alike: str
    difference: str
    interval: str
    p: str
    is_certain: bool
    leader: str
    items_to_lose: int
    metrics: Sequence[MetricView]
    tags: Sequence[TagView]


def comparison_view(found: ModelComparison) -> ComparisonView:
    """Return the view of a comparison."""
    low, high = found.interval
    return ComparisonView(
        found.first,
        found.second,
        count(found.n),
        count(found.contexts),
        found.contexts < found.n,
        count(found.both),
        count(found.neither),
        count(found.only_first),
        count(found.only_second),
        count(found.agree),
        count(found.both_wrong_alike),
        decimal(found.difference),
        f"{decimal(low)} – {decimal(high)}",
        _p(found.mcnemar_p),
        found.mcnemar_p < CERTAIN and not low <= 0 <= high,
        found.first if found.only_first >= found.only_second else found.second,
        found.items_to_lose,
        [*map(_metric, found.metrics), *starmap(_undefined, found.undefined.items())],
        [_tag(each) for each in found.tags],
    )


def _metric(found: MetricDifference) -> MetricView:
    low, high = found.interval or (0.0, 0.0)
    return MetricView(
        _(METRICS.get(found.metric, found.metric)),
        decimal(found.first),
        decimal(found.second),
        decimal(found.difference),
        service_words(found.reason or "") or f"{decimal(low)} – {decimal(high)}",
        "–" if found.holm_p is None else _p(found.holm_p),
        found.holm_p is not None and found.holm_p < CERTAIN,
    )


def _undefined(name: str, reason: str) -> MetricView:
    words = _(METRICS.get(name, name))
    return MetricView(words, MISSING, MISSING, MISSING, service_words(reason), MISSING, is_certain=False)


def _tag(found: ComparedTag) -> TagView:
    return TagView(
        found.tag, count(found.n), count(found.only_first), count(found.only_second), _p(found.holm_p)
    )


def _p(value: float) -> str:
    return f"< {decimal(0.001, 3)}" if value < 0.001 else decimal(value, 3)
