"""How many examples reach each stage, from the contexts offered to the votes' outcome."""

from collections.abc import Sequence

from markupsafe import Markup

from web.kit.charts.scales import Scale
from web.kit.charts.svg import Chart, Table, element, picture
from web.kit.numbers import MISSING, count, percent

WIDTH, ROW, BAR = 460, 26, 16
LEFT, RIGHT = 92, 360
THINNEST = 1.5
CHART_ID = "chart-funnel"
TITLE = "From contexts to validated examples"


def funnel(stages: Sequence[tuple[str, int]]) -> Chart | None:
    """Return the chart, or None where nothing has happened. Each stage is `(name, how many)`."""
    if not any(number for name, number in stages if name != "Contexts"):
        return None
    height = ROW * len(stages) + 6
    tries = dict(stages).get("Tries", 0)
    rows = [
        [name.removeprefix("– "), count(number), _of_tries(name, number, tries)] for name, number in stages
    ]
    return Chart(
        CHART_ID,
        TITLE,
        "Counts; shares are of all tries.",
        picture(CHART_ID, TITLE, WIDTH, height, *_bars(stages, tries)),
        Table(["Stage", "Examples", "Share of tries"], rows),
    )


def _bars(stages: Sequence[tuple[str, int]], tries: int) -> list[Markup]:
    across = Scale(0, max(number for _, number in stages) or 1, 0, RIGHT - LEFT)
    drawn = []
    for position, (name, number) in enumerate(stages):
        y = 3 + ROW * position
        is_outcome = name.startswith("– ")
        words = name.removeprefix("– ")
        share = _of_tries(name, number, tries)
        drawn += [
            element("text", words, x=LEFT - 8, y=y + 12, class_="tick", text_anchor="end"),
            element(
                "rect",
                x=LEFT,
                y=y,
                width=_width(number, across),
                height=BAR,
                rx=2,
                class_="bar outcome" if is_outcome else "bar",
            ),
            element(
                "text",
                f"{count(number)}" + (f" · {share}" if share != MISSING else ""),
                x=LEFT + _width(number, across) + 6,
                y=y + 12,
                class_="value",
            ),
        ]
    return drawn


def _of_tries(name: str, number: int, tries: int) -> str:
    return percent(number / tries) if tries and name not in {"Contexts", "Tries"} else MISSING


def _width(number: int, across: Scale) -> float:
    """Return the length of a bar: none for nothing, and enough to be seen for anything else."""
    return max(THINNEST, across(number)) if number else 0.0
