"""Two models compared, as the page shows it."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.evaluations import ComparedTag, DifferingItem, ModelComparison

from web.kit.numbers import count, decimal

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
class ComparisonView:
    """The comparison: counts, the difference with its interval, and the items where exactly one is right."""

    first: str
    second: str
    n: str
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
    tags: Sequence[TagView]
    items: Sequence[DifferingItem]


def comparison_view(found: ModelComparison) -> ComparisonView:
    """Return the view of a comparison."""
    low, high = found.interval
    return ComparisonView(
        found.first,
        found.second,
        count(found.n),
        count(found.both),
        count(found.neither),
        count(found.only_first),
        count(found.only_second),
        count(found.agree),
        count(found.both_wrong_alike),
        decimal(found.difference),
        f"{decimal(low)} – {decimal(high)}",
        _p(found.mcnemar_p),
        found.mcnemar_p < CERTAIN,
        found.first if found.only_first >= found.only_second else found.second,
        found.items_to_lose,
        [_tag(each) for each in found.tags],
        found.items,
    )


def _tag(found: ComparedTag) -> TagView:
    return TagView(
        found.tag, count(found.n), count(found.only_first), count(found.only_second), _p(found.holm_p)
    )


def _p(value: float) -> str:
    return f"< {decimal(0.001, 3)}" if value < 0.001 else decimal(value, 3)
