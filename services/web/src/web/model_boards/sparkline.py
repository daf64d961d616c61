"""Performance by round as a sparkline in a table row."""

from collections.abc import Sequence

from markupsafe import Markup

from web.kit.charts.scales import Scale
from web.kit.charts.svg import element, path
from web.kit.language import _
from web.kit.numbers import decimal

WIDTH, HEIGHT, MARGIN, DOT = 72, 20, 3.0, 2.0
LEAST_RANGE = 5.0


def sparkline(values: Sequence[tuple[int, float | None]]) -> tuple[Markup, str]:
    """Return the line over `(round, percent)` and its figures as a text; both empty with fewer than two rounds.

    The line has a gap at a round without a value.
    """
    known = [value for _number, value in values if value is not None]
    if len(known) < 2:
        return Markup(), ""
    words = ", ".join(
        _("round %(number)s: %(value)s", number=number, value=decimal(value)) for number, value in values
    )
    spare = max(0.0, LEAST_RANGE - (max(known) - min(known))) / 2
    up = Scale(min(known) - spare, max(known) + spare, HEIGHT - MARGIN, MARGIN)
    across = Scale(0, len(values) - 1, MARGIN, WIDTH - MARGIN)
    pieces: list[list[tuple[float, float]]] = [[]]
    for place, (_number, value) in enumerate(values):
        if value is None:
            pieces.append([])
        else:
            pieces[-1].append((across(place), up(value)))
    marks = [element("path", d=path(piece), class_="board-line") for piece in pieces if len(piece) > 1] + [
        element("circle", cx=x, cy=y, r=DOT, class_="board-dot")
        for piece in pieces
        if len(piece) == 1 or piece is pieces[-1]
        for x, y in piece[-1:]
    ]
    drawn = element(
        "svg",
        *marks,
        class_="board-spark",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
        role="img",
        aria_label=words,
    )
    return drawn, words
