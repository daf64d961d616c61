"""Chart of words associated with a label more, or less, than by chance: dots with intervals and the line of chance."""

import math
from collections.abc import Sequence

from dynabench_client.results.datasets import Association
from markupsafe import Markup

from web.kit import isolation
from web.kit.charts.scales import Scale, ticks
from web.kit.charts.svg import Chart, Table, element, picture
from web.kit.language import N_, _
from web.kit.numbers import MISSING, count, decimal

WIDTH, ROW, TOP, FOOT = 460, 24, 20, 44
LEFT, RIGHT = 132, 400
LONGEST_NAME = 18
MOST_WITH, MOST_WITHOUT = 10, 5
UNIT = N_("PMI in bits; 1 bit is twice as often as by chance")


def associations(chart_id: str, label: str, found: Sequence[Association]) -> Chart | None:
    """Return the chart of one label's words, in their order; None if no word has a figure."""
    known = [each for each in found if each.pmi is not None]
    if not known:
        return None
    drawn = [
        *[each for each in known if (each.pmi or 0) > 0][:MOST_WITH],
        *[each for each in known if (each.pmi or 0) <= 0][:MOST_WITHOUT],
    ]
    title = _("Words and “%(label)s”", label=isolation.name(label))
    said = [
        _("Right of the line “chance”, a word appears with the label more often; left of it, less often."),
        _("Pointwise mutual information with its 95 % interval."),
    ]
    if len(drawn) < len(known):
        said.append(_("The chart shows %(drawn)s of %(all)s words.", drawn=len(drawn), all=len(known)))
    return Chart(
        chart_id,
        title,
        " ".join(said),
        picture(chart_id, title, WIDTH, TOP + ROW * len(drawn) + FOOT, *_axis(drawn), *_dots(drawn)),
        Table([_("Word"), _("PMI (bits)"), "95 %", _("Examples")], [_row(each) for each in known]),
    )


def _marks(drawn: Sequence[Association]) -> list[float]:
    """Return round tick values that include 0 (chance) and cover every interval."""
    ends = [end for each in drawn for end in (each.pmi, each.low, each.high) if end is not None]
    low, high = min(0.0, *ends), max(0.0, *ends)
    step = ticks(high - low, most=4)[1]
    return [step * times for times in range(math.floor(low / step), max(1, math.ceil(high / step)) + 1)]


def _across(drawn: Sequence[Association]) -> Scale:
    marks = _marks(drawn)
    return Scale(marks[0], marks[-1], LEFT, RIGHT)


def _axis(drawn: Sequence[Association]) -> list[Markup]:
    across, bottom = _across(drawn), TOP + ROW * len(drawn)
    lines = [
        part
        for mark in _marks(drawn)
        for part in (
            element("line", x1=across(mark), x2=across(mark), y1=TOP, y2=bottom, class_="grid"),
            element(
                "text",
                f"{round(mark, 6):g}",
                x=across(mark),
                y=bottom + 16,
                class_="tick",
                text_anchor="middle",
            ),
        )
    ]
    chance = across(0.0)
    return [
        *lines,
        element("line", x1=chance, x2=chance, y1=TOP, y2=bottom, class_="chance"),
        element("text", _("chance"), x=chance, y=TOP - 6, class_="tick", text_anchor="middle"),
        element("text", _(UNIT), x=WIDTH / 2, y=bottom + 36, class_="tick", text_anchor="middle"),
    ]


def _dots(drawn: Sequence[Association]) -> list[Markup]:
    across, marks = _across(drawn), []
    for position, each in enumerate(drawn):
        y = TOP + ROW * (position + 0.5)
        short = each.token if len(each.token) <= LONGEST_NAME else each.token[: LONGEST_NAME - 1] + "…"
        marks.append(
            element("text", short, x=LEFT - 10, y=y + 4, class_="tick", text_anchor="end", **isolation.SVG)
        )
        if each.low is not None and each.high is not None:
            ends = {"x1": across(each.low), "x2": across(each.high)}
            marks.append(element("line", **ends, y1=y, y2=y, class_="whisker series-accent"))
        marks.append(element("circle", cx=across(each.pmi or 0), cy=y, r=4, class_="dot series-accent"))
        marks.append(element("text", decimal(each.pmi, 2), x=RIGHT + 14, y=y + 4, class_="value"))
    return marks


def _row(each: Association) -> list[str]:
    between = MISSING
    if each.low is not None and each.high is not None:
        between = _("%(low)s to %(high)s", low=decimal(each.low, 2), high=decimal(each.high, 2))
    return [isolation.name(each.token), decimal(each.pmi, 2), between, count(each.count)]
