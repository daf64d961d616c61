"""Chart of the targets that tries fooled: a row for each set of targets, with dots for members and a bar for tries.

These are the sets of an UpSet plot (Lex et al., 2014), turned on their side. Rows have space for counts of any length,
and the chart stays readable on a phone.
"""

from collections.abc import Sequence

from dynabench_client.results.leaderboard import FoolingMatrix, Pattern
from markupsafe import Markup

from web.kit import isolation
from web.kit.charts.bars import bar_length
from web.kit.charts.scales import Scale
from web.kit.charts.svg import Chart, Table, element, picture, shortened
from web.kit.language import N_, _, ngettext
from web.kit.numbers import count, percent

WIDTH, ROW, BAR, DOT = 460, 24, 14, 5
COLUMN, MARGIN = 22, 14
RIGHT = 330
FOOT = 6
LONGEST_NAME = 16
NAME_HEIGHT = 100
MOST_ROWS = 16
CHART_ID = "chart-matrix"
TITLE = N_("Models fooled by the same try")


def fooling(matrix: FoolingMatrix) -> Chart | None:
    """Return the chart; None for a single target, or where no try was answered by every target."""
    if not matrix.patterns or len(matrix.targets) < 2:
        return None
    if len(matrix.patterns) == 1:
        return Chart(CHART_ID, _(TITLE), _alike(matrix), Markup(), Table([], []))
    drawn = matrix.patterns[:MOST_ROWS]
    height = NAME_HEIGHT + ROW * len(drawn) + FOOT
    return Chart(
        CHART_ID,
        _(TITLE),
        _description(matrix),
        picture(
            CHART_ID,
            _(TITLE),
            WIDTH,
            height,
            *_names(matrix.targets),
            *_rows(matrix.targets, drawn, matrix.answered_by_all),
        ),
        Table(
            [_("Fooled"), _("Tries"), _("Share"), _("Confirmed")],
            [
                [
                    names_of(pattern),
                    count(pattern.tries),
                    _share(pattern, matrix.answered_by_all),
                    count(pattern.validated),
                ]
                for pattern in matrix.patterns
            ],
        ),
    )


def names_of(pattern: Pattern) -> str:
    """Return the targets of a pattern in words."""
    return isolation.names(pattern.fooled) or _("none")


def _alike(matrix: FoolingMatrix) -> str:
    """Return a sentence on tries that all fooled the same models."""
    [pattern] = matrix.patterns
    return ngettext(
        "All models answered %(tries)s\u00a0try. It fooled: %(models)s.",
        "All models answered %(tries)s\u00a0tries. Each try fooled: %(models)s.",
        pattern.tries,
        tries=count(pattern.tries),
        models=names_of(pattern),
    )


def _description(matrix: FoolingMatrix) -> str:
    words = [
        ngettext(
            "%(tries)s\u00a0try that all models answered.",
            "%(tries)s\u00a0tries that all models answered.",
            matrix.answered_by_all,
            tries=count(matrix.answered_by_all),
        )
    ]
    if matrix.incomplete:
        words.append(
            ngettext(
                "%(tries)s\u00a0more try lacks an answer and is left out.",
                "%(tries)s\u00a0more tries lack an answer and are left out.",
                matrix.incomplete,
                tries=count(matrix.incomplete),
            )
        )
    if matrix.not_asked:
        words.append(
            ngettext(
                "For %(tries)s of these, a model was not asked because one of an earlier tier was right.",
                "For %(tries)s of these, a model was not asked because one of an earlier tier was right.",
                matrix.not_asked,
                tries=count(matrix.not_asked),
            )
        )
    if len(matrix.patterns) > MOST_ROWS:
        words.append(
            _(
                "The chart has the %(shown)s most frequent of %(sets)s sets; the table has all.",
                shown=MOST_ROWS,
                sets=len(matrix.patterns),
            )
        )
    words.append(_("The coloured part of a bar is confirmed."))
    return " ".join(words)


def _names(targets: Sequence[str]) -> list[Markup]:
    drawn = []
    for position, name in enumerate(targets):
        x, y = _column(position), NAME_HEIGHT - 8
        short = shortened(name, LONGEST_NAME)
        drawn.append(
            element(
                "text",
                short,
                x=x,
                y=y,
                class_="tick",
                transform=f"rotate(-42 {x} {y})",
                text_anchor="start",
                **isolation.SVG,
            )
        )
    return drawn


def _rows(targets: Sequence[str], patterns: Sequence[Pattern], total: int) -> list[Markup]:
    left = _column(len(targets)) - COLUMN + 2 * MARGIN
    across = Scale(0, max(pattern.tries for pattern in patterns) or 1, 0, RIGHT - left)
    drawn = []
    for position, pattern in enumerate(patterns):
        middle = NAME_HEIGHT + ROW * (position + 0.5)
        drawn += _dots(targets, pattern, middle)
        whole, validated = bar_length(pattern.tries, across), bar_length(pattern.validated, across)
        drawn.append(_bar(left, middle, whole, "bar"))
        if validated:
            drawn.append(_bar(left, middle, min(validated, whole), "bar outcome"))
        words = f"{count(pattern.tries)} · {_share(pattern, total)}"
        drawn.append(element("text", words, x=left + whole + 6, y=middle + 4, class_="value"))
    return drawn


def _dots(targets: Sequence[str], pattern: Pattern, middle: float) -> list[Markup]:
    members = [position for position, name in enumerate(targets) if name in pattern.fooled]
    drawn = []
    if len(members) > 1:
        ends = _column(members[0]), _column(members[-1])
        drawn.append(element("line", x1=ends[0], x2=ends[1], y1=middle, y2=middle, class_="member-line"))
    for position in range(len(targets)):
        style = "member" if position in members else "member is-absent"
        drawn.append(element("circle", cx=_column(position), cy=middle, r=DOT, class_=style))
    return drawn


def _bar(left: float, middle: float, width: float, style: str) -> Markup:
    return element("rect", x=left, y=middle - BAR / 2, width=width, height=BAR, rx=2, class_=style)


def _column(position: int) -> float:
    return MARGIN + COLUMN * (position + 0.5)


def _share(pattern: Pattern, total: int) -> str:
    return percent(pattern.tries / total if total else None)
