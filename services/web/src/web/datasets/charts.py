"""The charts of measurements, by part; a part whose figures are few has none."""

from collections.abc import Callable

from dynabench_client.results.measurements import Bin, Distribution, Measurements

from web.datasets.associations import associations
from web.datasets.findings import by_label
from web.datasets.measurements_view import why_missing
from web.kit.charts.balance import balance
from web.kit.charts.histogram import Axis, histogram
from web.kit.charts.intervals import intervals
from web.kit.charts.svg import Chart
from web.kit.numbers import MISSING, RateView, count, decimal, interval, percent

MOST_LABELS = 8
WORDS = Axis("words", lambda value: f"{value:g}")
EXAMPLES = Axis("examples read", count, "new words in 1,000 examples")
SHARE = Axis("share of words that stand in the context", lambda value: percent(value, 0))


def measured_charts(found: Measurements) -> dict[str, list[Chart]]:
    """Return the charts of every part that was measured."""
    return {
        name: [chart for chart in draw(found) if chart]
        for name, draw in _DRAWING.items()
        if not why_missing(found, name)
    }


def _label_balance(found: Measurements) -> list[Chart | None]:
    return [balance(found.label_balance.claimed, found.label_balance.gold)]


def _lengths(found: Measurements) -> list[Chart | None]:
    return [
        _spread(f"chart-length-{position}", f"Length of {name}", lengths.words)
        for position, (name, lengths) in enumerate(found.lengths.items(), start=1)
    ]


def _spread(chart_id: str, title: str, spread: Distribution) -> Chart | None:
    words = (
        f"Mean {decimal(spread.mean)}, median {decimal(spread.p50, 0)}, 90 % between {decimal(spread.p5, 0)} and "
        f"{decimal(spread.p95, 0)}, longest {decimal(spread.max, 0)} words; {count(spread.n)} texts."
    )
    return histogram(chart_id, title, words, WORDS, spread.histogram, spread.p50)


def _vocabulary(found: Measurements) -> list[Chart | None]:
    points = found.vocabulary.new_per_1000
    starts = [0, *(point.examples for point in points)]
    stretches = [
        Bin(low=start, high=point.examples, count=round(point.new))
        for start, point in zip(starts, points, strict=False)
    ]
    words = "How many words were new, reckoned for a thousand examples, as more and more examples are read."
    return [histogram("chart-new-words", "New words", words, EXAMPLES, stretches)]


def _overlap(found: Measurements) -> list[Chart | None]:
    words = "How much of what people wrote stands in its context, word by word."
    spread = found.overlap.histogram
    return [histogram("chart-overlap", "Overlap with the context", words, SHARE, spread, found.overlap.p50)]


def _associations(found: Measurements) -> list[Chart | None]:
    strongest = sorted(by_label(found).items(), key=lambda item: -max(each.low or 0 for each in item[1]))
    return [
        associations(f"chart-associations-{position}", label, words)
        for position, (label, words) in enumerate(strongest[:MOST_LABELS], start=1)
    ]


def _input_only_baseline(found: Measurements) -> list[Chart | None]:
    baseline = found.input_only_baseline
    alone = RateView(
        value=percent(baseline.accuracy),
        interval=interval(baseline.low, baseline.high),
        share=baseline.accuracy,
        low=baseline.low,
        high=baseline.high,
    )
    majority = RateView(value=percent(baseline.majority), share=baseline.majority)
    rows = [("input alone", alone, [count(baseline.n)]), ("commonest label", majority, [MISSING])]
    return [intervals("chart-baseline", "Right without the context", "Model", "Accuracy", rows, ["Examples"])]


_DRAWING: dict[str, Callable[[Measurements], list[Chart | None]]] = {
    "label_balance": _label_balance,
    "lengths": _lengths,
    "vocabulary": _vocabulary,
    "overlap": _overlap,
    "associations": _associations,
    "input_only_baseline": _input_only_baseline,
}
