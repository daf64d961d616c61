"""Response schemas for the comparison of two models."""

from typing import Any

from dynabench_api.evaluations import ComparisonAnswer, DifferenceAnswer

from scoring.evaluation.comparison import Comparison
from scoring.evaluation.resampling import Difference


def difference_answer(metric: str, found: Difference, holm_p: float | None) -> DifferenceAnswer:
    """Return the answer about a difference."""
    return DifferenceAnswer(
        metric=metric,
        first=found.first,
        second=found.second,
        difference=found.difference,
        interval=None if found.ends.reason else [found.ends.low, found.ends.high],
        p=found.p,
        holm_p=holm_p,
        reason=found.ends.reason or None,
    )


def comparison_answer(found: Comparison, **rest: Any) -> ComparisonAnswer:
    """Return the answer about a comparison."""
    return ComparisonAnswer(
        n=found.n,
        both=found.both,
        only_first=found.only_first,
        only_second=found.only_second,
        neither=found.neither,
        agree=found.agree,
        mcnemar_p=found.mcnemar_p,
        difference=found.difference,
        interval=[found.low, found.high],
        items_to_lose=found.items_to_lose,
        contexts=found.contexts,
        **rest,
    )
