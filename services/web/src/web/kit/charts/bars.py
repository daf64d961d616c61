"""Horizontal bar chart of counts, each bar with its name and number."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from web.kit.charts.scales import Scale
from web.kit.charts.svg import element, picture, shortened

WIDTH, ROW, BAR = 460, 26, 16
LEFT, RIGHT = 92, 360
LETTER = 9
LONGEST_NAME = 28
"""With a name of so many letters, the longest bar is 100 wide."""
THINNEST = 1.5


@dataclass(frozen=True)
class Bar:
    """A count with its name; `words` stand at the end of the bar, an outcome is coloured."""

    name: str
    number: int
    words: str
    is_outcome: bool = False


def bars(chart_id: str, title: str, rows: Sequence[Bar]) -> Markup:
    """Return the picture."""
    names = [shortened(row.name, LONGEST_NAME) for row in rows]
    left = max(LEFT, LETTER * max(map(len, names)) + 8)
    across = Scale(0, max(row.number for row in rows) or 1, 0, RIGHT - left)
    drawn = []
    for position, (name, row) in enumerate(zip(names, rows, strict=True)):
        y = 3 + ROW * position
        width = bar_length(row.number, across)
        style = "bar outcome" if row.is_outcome else "bar"
        drawn += [
            element("text", name, x=left - 8, y=y + 12, class_="tick", text_anchor="end"),
            element("rect", x=left, y=y, width=width, height=BAR, rx=2, class_=style),
            element("text", row.words, x=left + width + 6, y=y + 12, class_="value"),
        ]
    return picture(chart_id, title, WIDTH, ROW * len(rows) + 6, *drawn)


def bar_length(number: int, across: Scale) -> float:
    """Return the length of a bar: none for nothing, and enough to be seen for anything else."""
    return max(THINNEST, across(number)) if number else 0.0
