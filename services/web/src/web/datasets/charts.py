"""A dataset's charts: sizes of its splits as one bar, and measurements by part; none for a part with few figures."""

from collections.abc import Callable, Sequence

from dynabench_client.results.datasets import Bin, Distribution, Measurements
from markupsafe import Markup

from web.datasets.associations import associations
from web.datasets.findings import by_label
from web.datasets.measurements_view import why_missing
from web.kit.charts.balance import balance
from web.kit.charts.histogram import Axis, histogram
from web.kit.charts.intervals import intervals
from web.kit.charts.svg import Chart, element
from web.kit.language import _
from web.kit.numbers import MISSING, RateView, count, decimal, interval, percent

MOST_LABELS = 8
BAR_WIDTH, BAR_HEIGHT, BAR_GAP = 240, 12, 2.0
THINNEST_PART = 2.0


def size_bar(sizes: Sequence[int]) -> Markup:
    """Return the sizes of splits as one bar, with a part for each that is not zero; nothing for an empty dataset.

    The words beside it state the numbers.
    """
    known = [(position, size) for position, size in enumerate(sizes, start=1) if size]
    if not known:
        return Markup()
    total, room = sum(sizes), BAR_WIDTH - BAR_GAP * (len(known) - 1)
    widths = [max(THINNEST_PART, room * size / total) for _position, size in known]
    shrink = room / sum(widths)
    parts, x = [], 0.0
    for (position, _size), width in zip(known, widths, strict=True):
        parts.append(
            element("rect", x=x, y=0, width=width * shrink, height=BAR_HEIGHT, class_=f"part-{position}")
        )
        x += width * shrink + BAR_GAP
    return element(
        "svg",
        *parts,
        class_="size-bar",
        viewBox=f"0 0 {BAR_WIDTH} {BAR_HEIGHT}",
        preserveAspectRatio="none",
        aria_hidden="true",
    )


def measured_charts(found: Measurements) -> dict[str, list[Chart]]:
    """Return the charts of all measured parts."""
    return {
        name: [chart for chart in draw(found) if chart]
        for name, draw in _DRAWING.items()
        if not why_missing(found, name)
    }


def _label_balance(found: Measurements) -> list[Chart | None]:
    return [balance(found.label_balance.claimed, found.label_balance.gold)]


def _lengths(found: Measurements) -> list[Chart | None]:
    return [
        _spread(f"chart-length-{position}", _("Length of %(field)s", field=name), lengths.words)
        for position, (name, lengths) in enumerate(found.lengths.items(), start=1)
    ]


def _spread(chart_id: str, title: str, spread: Distribution) -> Chart | None:
    words = _(
        "Mean %(mean)s, median %(median)s, 90 %% between %(low)s and %(high)s, longest %(longest)s words; "
        "%(number)s texts.",
        mean=decimal(spread.mean),
        median=decimal(spread.p50, 0),
        low=decimal(spread.p5, 0),
        high=decimal(spread.p95, 0),
        longest=decimal(spread.max, 0),
        number=count(spread.n),
    )
    return histogram(chart_id, title, words, word_axis(), spread.histogram, spread.p50)


def word_axis() -> Axis:
    """Return the axis of lengths in words."""
    return Axis(_("words"), lambda value: f"{value:g}")


def _vocabulary(found: Measurements) -> list[Chart | None]:
    points = found.vocabulary.new_per_1000
    starts = [0, *(point.examples for point in points)]
    stretches = [
        Bin(low=start, high=point.examples, count=round(point.new))
        for start, point in zip(starts, points, strict=False)
    ]
    words = _("New words per 1,000 examples, as more examples are read.")
    axis = Axis(_("examples read"), count, _("new words in 1,000 examples"))
    return [histogram("chart-new-words", _("New words"), words, axis, stretches)]


def _overlap(found: Measurements) -> list[Chart | None]:
    title = _("Overlap with the context")
    words = _("Share of the words people wrote that also appear in the context.")
    axis = Axis(_("share of words that appear in the context"), lambda value: percent(value, 0))
    spread = found.overlap.histogram
    return [histogram("chart-overlap", title, words, axis, spread, found.overlap.p50)]


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
    rows = [(_("input alone"), alone, [count(baseline.n)]), (_("top label"), majority, [MISSING])]
    title, headers = _("Right without the context"), [_("Examples")]
    return [intervals("chart-baseline", title, _("Model"), _("Accuracy"), rows, headers)]


_DRAWING: dict[str, Callable[[Measurements], list[Chart | None]]] = {
    "label_balance": _label_balance,
    "lengths": _lengths,
    "vocabulary": _vocabulary,
    "overlap": _overlap,
    "associations": _associations,
    "input_only_baseline": _input_only_baseline,
}
