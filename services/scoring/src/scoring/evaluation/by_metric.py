"""Two models on the same items by each metric of the task."""

from collections.abc import Mapping, Sequence

from scoring.evaluation.metrics import ITEM_METRICS, Answered
from scoring.evaluation.resampling import Difference, paired_difference


def differences(first: Answered, second: Answered, names: Sequence[str]) -> Mapping[str, Difference]:
    """Return the difference in each of these metrics that is defined for both, the items being the same."""
    found: dict[str, Difference] = {}
    for name in names:
        ratios = ITEM_METRICS[name].ratios if name in ITEM_METRICS else None
        if ratios is None:
            continue
        one, other = ratios(first), ratios(second)
        if one is not None and other is not None:
            found[name] = paired_difference(one, other, first.clusters)
    return found
