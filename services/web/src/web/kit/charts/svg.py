"""The little SVG that the charts need.

Marks are coloured by class, since the pages' content security policy refuses style attributes; every value is
escaped.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup, escape

from web.kit import isolation

LINE_HEIGHT = 15
Cell = str


@dataclass(frozen=True)
class Table:
    """The numbers of a chart; the first column names the rows."""

    headers: list[Cell]
    rows: list[list[Cell]]


@dataclass(frozen=True)
class Chart:
    """A picture with its title and the table of the same numbers.

    `svg` is empty where the picture would have a single bar. Then the description is the sentence that replaces it.
    """

    chart_id: str
    title: str
    description: str
    svg: Markup
    table: Table


def element(name: str, *children: Markup | str, **attributes: object) -> Markup:
    """Return an element; `class_` and `stroke_width` name the attributes that Python can't."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_short(value))}"' for key, value in attributes.items()
    )
    inside = "".join(escape(child) for child in children)
    return Markup(f"<{name}{written}>{inside}</{name}>")  # noqa: S704


def picture(chart_id: str, title: str, width: int, height: int, *marks: Markup) -> Markup:
    """Return the whole drawing; its only text alternative is a name, since a table has its numbers."""
    kept = isolation.SVG if isinstance(title, Markup) else {}
    return Markup(  # noqa: S704
        element(
            "svg",
            element("title", isolation.plain(title), id=f"{chart_id}-title", **kept),
            *marks,
            class_="chart",
            viewBox=f"0 0 {width} {height}",
            role="img",
            aria_labelledby=f"{chart_id}-title",
        )
    )


def path(points: list[tuple[float, float]], *, closed: bool = False) -> str:
    """Return the data of a line through the points."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + ("Z" if closed else "")


def whisker(x: float, low: float, high: float, style: str) -> Markup:
    """Return an upright interval."""
    return element("line", x1=x, x2=x, y1=low, y2=high, class_=f"whisker {style}")


def shortened(name: str, most: int) -> str:
    """Return a name of at most `most` letters, without the markup that isolates it; an ellipsis ends a longer one."""
    bare = name.striptags() if isinstance(name, Markup) else name
    return bare if len(bare) <= most else bare[: most - 1] + "…"


def names_apart(names: Iterable[tuple[float, str, str]], x: float) -> list[Markup]:
    """Return names of series, each given as `(y, words, style)`, spaced by at least one line of text."""
    drawn, reached = [], -float("inf")
    for wanted, words, style in sorted(names):
        reached = max(wanted, reached + LINE_HEIGHT)
        drawn.append(element("text", words, x=x, y=reached + 4, class_=f"name {style}", **isolation.SVG))
    return drawn


def _short(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
