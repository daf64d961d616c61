"""Funnel chart: the number of examples at each stage, from the contexts offered to the votes' outcome."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from web.kit.charts.scales import Scale
from web.kit.charts.svg import Chart, Table, element, picture
from web.kit.language import N_, _
from web.kit.numbers import MISSING, count, percent

WIDTH, ROW, BAR = 460, 26, 16
LEFT, RIGHT = 92, 360
LETTER = 8
THINNEST = 1.5
CHART_ID = "chart-funnel"
TITLE = N_("From contexts to validated examples")
OUTCOME = "– "


def funnel(stages: Sequence[tuple[str, int]]) -> Chart | None:
    """Return the chart, or None where nothing has happened.

    Each stage is `(name, how many)`, by its English name; an outcome of the votes begins with a dash. The share of
    those that fooled is of the tries with a verdict, as in MER, other shares are of all tries.
    """
    if not any(number for name, number in stages if name != "Contexts"):
        return None
    height = ROW * len(stages) + 6
    of = _denominators(stages)
    rows = [[_words(name), count(number), _share(number, of[name])] for name, number in stages]
    has_undecided = "With a verdict" in of
    return Chart(
        CHART_ID,
        _(TITLE),
        _("Counts; shares are of all tries, that of the fooled of those with a verdict.")
        if has_undecided
        else _("Counts; shares are of all tries."),
        picture(CHART_ID, _(TITLE), WIDTH, height, *_bars(stages, of)),
        Table([_("Stage"), _("Examples"), _("Share")], rows),
    )


def _denominators(stages: Sequence[tuple[str, int]]) -> dict[str, int]:
    """Return what the share of each stage is of; 0 where none is shown."""
    counts = dict(stages)
    tries = counts.get("Tries", 0)
    of = dict.fromkeys(counts, tries) | {"Contexts": 0, "Tries": 0}
    return {**of, "Fooled": counts.get("With a verdict", tries)}


def _bars(stages: Sequence[tuple[str, int]], of: Mapping[str, int]) -> list[Markup]:
    left = max(LEFT, LETTER * max(len(_words(name)) for name, _number in stages) + 8)
    across = Scale(0, max(number for _name, number in stages) or 1, 0, RIGHT - left)
    drawn = []
    for position, (name, number) in enumerate(stages):
        y = 3 + ROW * position
        is_outcome = name.startswith(OUTCOME)
        words = _words(name)
        share = percent(number / of[name]) if of[name] else MISSING
        drawn += [
            element("text", words, x=left - 8, y=y + 12, class_="tick", text_anchor="end"),
            element(
                "rect",
                x=left,
                y=y,
                width=_width(number, across),
                height=BAR,
                rx=2,
                class_="bar outcome" if is_outcome else "bar",
            ),
            element(
                "text",
                f"{count(number)}" + (f" · {share}" if share != MISSING else ""),
                x=left + _width(number, across) + 6,
                y=y + 12,
                class_="value",
            ),
        ]
    return drawn


def _words(name: str) -> str:
    return _(name.removeprefix(OUTCOME))


def _share(number: int, of: int) -> str:
    """Return a share with what it is of."""
    if not of:
        return MISSING
    return _("%(share)s of %(number)s", share=percent(number / of), number=count(of))


def _width(number: int, across: Scale) -> float:
    """Return the length of a bar: none for nothing, and enough to be seen for anything else."""
    return max(THINNEST, across(number)) if number else 0.0
