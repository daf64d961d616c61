"""Two counts per label side by side: what authors claimed, and what people agreed on."""

from collections.abc import Mapping

from markupsafe import Markup

from web.kit import isolation
from web.kit.charts.bars import bar_length
from web.kit.charts.scales import Scale
from web.kit.charts.svg import Chart, Table, element, picture, shortened
from web.kit.language import N_, _
from web.kit.numbers import count, percent

WIDTH, ROW, BAR, GAP = 460, 44, 14, 3
LEFT, RIGHT = 120, 345
LONGEST_NAME = 16
MOST_ROWS = 12
CHART_ID = "chart-labels"
TITLE = N_("Labels, claimed and agreed on")


def balance(claimed: Mapping[str, int], gold: Mapping[str, int]) -> Chart | None:
    """Return the chart, or None where no labels are claimed. Labels that the task lacks come last."""
    names = [*claimed, *(name for name in gold if name not in claimed)]
    pairs = [(name, claimed.get(name, 0), gold.get(name, 0)) for name in names]
    if not any(first or second for _name, first, second in pairs):
        return None
    drawn = pairs[:MOST_ROWS]
    totals = sum(claimed.values()), sum(gold.values())
    return Chart(
        CHART_ID,
        _(TITLE),
        _(
            "Upper bar: claimed (%(claimed)s). Coloured bar: agreed on (%(agreed)s).",
            claimed=count(totals[0]),
            agreed=count(totals[1]),
        ),
        picture(CHART_ID, _(TITLE), WIDTH, ROW * len(drawn) + 4, *_bars(drawn, totals)),
        Table(
            [_("Label"), _("Claimed"), _("Share"), _("Agreed on"), _("Share")],
            [
                [
                    isolation.name(name),
                    count(first),
                    _share(first, totals[0]),
                    count(second),
                    _share(second, totals[1]),
                ]
                for name, first, second in pairs
            ],
        ),
    )


def _bars(pairs: list[tuple[str, int, int]], totals: tuple[int, int]) -> list[Markup]:
    across = Scale(0, max(max(first, second) for _name, first, second in pairs), 0, RIGHT - LEFT)
    drawn = []
    for position, (name, *numbers) in enumerate(pairs):
        top = 2 + ROW * position
        short = shortened(name, LONGEST_NAME)
        drawn.append(
            element("text", short, x=LEFT - 8, y=top + 20, class_="tick", text_anchor="end", **isolation.SVG)
        )
        for which, number in enumerate(numbers):
            y = top + which * (BAR + GAP)
            width = bar_length(number, across)
            style = "bar outcome" if which else "bar"
            drawn.append(element("rect", x=LEFT, y=y, width=width, height=BAR, rx=2, class_=style))
            words = f"{count(number)} · {_share(number, totals[which])}"
            drawn.append(element("text", words, x=LEFT + width + 6, y=y + 11, class_="value"))
    return drawn


def _share(number: int, total: int) -> str:
    return percent(number / total if total else None)
