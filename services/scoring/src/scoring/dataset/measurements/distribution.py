"""Distribution of a number over examples, from a count of each value that occurs.

Memory grows with the number of different values, not with the examples.
"""

import math
from collections import Counter
from typing import Any

MOST_BINS = 20


def spread(values: Counter[int], *, unit: float = 1, bins: range | None = None) -> dict[str, Any]:
    """Return n, mean, percentiles, max and histogram of whole numbers, each of which stands for `value · unit`.

    Percentiles are by nearest rank. A bin of the histogram holds the values from `low` to below `high`, the last one
    its `high` too. `bins` are where they begin, with the end of the last; without it at most MOST_BINS of one width
    cover the values.
    """
    number = values.total()
    if not number:
        return {"n": 0, "mean": None, "p5": None, "p50": None, "p95": None, "max": None, "histogram": []}
    total = sum(value * count for value, count in values.items())
    return {
        "n": number,
        "mean": total * unit / number,
        **{f"p{share}": _percentile(values, number, share) * unit for share in (5, 50, 95)},
        "max": max(values) * unit,
        "histogram": _histogram(values, unit, bins or _covering(values)),
    }


def _percentile(values: Counter[int], number: int, share: int) -> int:
    rank = math.ceil(number * share / 100)
    seen = 0
    for value in sorted(values):
        seen += values[value]
        if seen >= rank:
            return value
    return max(values)


def _covering(values: Counter[int]) -> range:
    first, last = min(values), max(values)
    width = (last - first) // MOST_BINS + 1
    return range(first, last + width + 1, width)


def _histogram(values: Counter[int], unit: float, bins: range) -> list[dict[str, Any]]:
    counts = [0] * (len(bins) - 1)
    for value, count in values.items():
        counts[min((value - bins.start) // bins.step, len(counts) - 1)] += count
    return [
        {"low": low * unit, "high": (low + bins.step) * unit, "count": count}
        for low, count in zip(bins, counts, strict=False)
    ]
