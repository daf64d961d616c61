"""Scores of models as dots on their intervals, all on one scale, one drawing for each model."""

from collections.abc import Sequence
from itertools import groupby

from dynabench_client.results.leaderboard import ModelRow
from markupsafe import Markup

from web.kit.charts.scales import Scale
from web.kit.charts.svg import element

WIDTH, HEIGHT, MARGIN, DOT, CAP = 160, 14, 5.0, 4.0, 3.0


def score_bars(rows: Sequence[ModelRow]) -> list[Markup]:
    """Return the drawing of each row; nothing for a model without a score."""
    ends = [end for row in rows if row.score is not None for end in (row.score, *(row.interval or ()))]
    if not ends:
        return [Markup() for _row in rows]
    across = Scale(min(ends), max(ends), MARGIN, WIDTH - MARGIN)
    return [_bar(row, across) for row in rows]


def bands(groups: Sequence[int | None]) -> list[str]:
    """Return each row's place in its band of tied models: first, middle or last; empty for a row that is not tied."""
    found: list[str] = []
    for group, members in groupby(groups):
        size = len(list(members))
        is_tied = group is not None and size > 1
        found += ["first", *["middle"] * (size - 2), "last"] if is_tied else [""] * size
    return found


def _bar(row: ModelRow, across: Scale) -> Markup:
    if row.score is None:
        return Markup()
    middle = HEIGHT / 2
    marks = [element("line", x1=0, x2=WIDTH, y1=middle, y2=middle, class_="grid")]
    if row.interval is not None:
        low, high = (across(end) for end in row.interval)
        marks += [
            element("line", x1=low, x2=high, y1=middle, y2=middle, class_="whisker"),
            *(
                element("line", x1=end, x2=end, y1=middle - CAP, y2=middle + CAP, class_="whisker")
                for end in (low, high)
            ),
        ]
    marks.append(element("circle", cx=across(row.score), cy=middle, r=DOT, class_="dot"))
    return element(
        "svg",
        *marks,
        class_="score-bar",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
        aria_hidden="true",
    )
