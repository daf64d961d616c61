"""The charts of a task's rounds side by side: their fool rates, and the effort to fool."""

from collections.abc import Callable, Sequence

from dynabench_client.results.leaderboard import Effort, Rate, RoundFigures

from web.kit.charts.dots import Dot, DotSeries, round_dots
from web.kit.charts.scales import NUMBER, PERCENT
from web.kit.charts.svg import Chart, Table
from web.kit.language import N_, _, pgettext
from web.kit.numbers import MISSING, RateView, between, day, decimal, rate
from web.kit.rounds import opened_at, round_name
from web.kit.service_words import service_words
from web.tasks.compare_view import RoundRead

RATES_ID, RATES = "chart-rounds", N_("Fool rates, round by round")
EFFORT_ID, EFFORT = "chart-rounds-effort", N_("Effort to fool, round by round")


def round_charts(found: Sequence[RoundRead]) -> list[Chart]:
    """Return the charts of rounds, given newest first; none without two rounds to compare."""
    oldest_first = list(reversed(found))
    return [chart for chart in (_rates(oldest_first), _effort(oldest_first)) if chart.svg]


def _rates(found: Sequence[RoundRead]) -> Chart:
    series = [
        DotSeries(
            pgettext("name of a line", "Fool rate"), _dots(found, lambda board: board.mer), is_plain=True
        ),
        DotSeries(pgettext("name of a line", "Confirmed"), _dots(found, lambda board: board.vmer)),
    ]
    words = [_("Each round with its 95 % intervals, the oldest on the left.")]
    if any(read.board is not None and read.board.vmer_range.pending for read in found):
        words.append(_("Confirmed fool rates still rise: some texts are being checked."))
    return Chart(
        RATES_ID,
        _(RATES),
        " ".join(words),
        round_dots(RATES_ID, _(RATES), [read.round.number for read in found], series, PERCENT),
        Table(
            [_("Round"), _("Opened"), _("Fool rate"), "95 %", _("Confirmed fool rate"), "95 %"],
            [[*_start_of_row(read), *_cells(read.board)] for read in found],
        ),
    )


def _effort(found: Sequence[RoundRead]) -> Chart:
    efforts = [_of_rule(read) for read in found]
    costs = [None if effort is None else effort.tries_per_fooling for effort in efforts]
    series = DotSeries(_("Tries"), [None if cost is None else _dot(cost) for cost in costs])
    most = 2 * max((dot.value for dot in series.known), default=0)
    return Chart(
        EFFORT_ID,
        _(EFFORT),
        _(
            "Tries with a verdict for each try that fooled a model, with 95 % intervals. The chart cuts off "
            "long intervals; the numbers have them whole."
        ),
        round_dots(EFFORT_ID, _(EFFORT), [read.round.number for read in found], [series], NUMBER, most),
        Table(
            [_("Round"), _("Opened"), _("Tries per fooling"), "95 %", _("Minutes per confirmed error")],
            [[*_start_of_row(read), *_cost(effort)] for read, effort in zip(found, efforts, strict=True)],
        ),
    )


def _of_rule(read: RoundRead) -> Effort | None:
    """Return the effort of fooling by the round's rule."""
    return next((effort for effort in read.effort or () if effort.target is None), None)


def _dots(found: Sequence[RoundRead], chosen: Callable[[RoundFigures], Rate]) -> list[Dot | None]:
    return [None if read.board is None else _dot(chosen(read.board)) for read in found]


def _dot(figure: Rate) -> Dot | None:
    return None if figure.value is None else Dot(figure.value, figure.low, figure.high)


def _start_of_row(read: RoundRead) -> list[str]:
    opened = None if read.board is None else day(opened_at(read.board))
    return [round_name(read.round), MISSING if opened is None else opened.words]


def _cells(board: RoundFigures | None) -> list[str]:
    if board is None:
        return [MISSING] * 4
    return [cell for found in (rate(board.mer), rate(board.vmer)) for cell in (found.value, _interval(found))]


def _interval(found: RateView) -> str:
    return found.interval or found.note or MISSING


def _cost(effort: Effort | None) -> list[str]:
    if effort is None:
        return [MISSING] * 3
    tries, minutes = effort.tries_per_fooling, effort.minutes_per_validated_error
    bounds = between(tries.low, tries.high) or service_words(tries.reason or "") or MISSING
    return [decimal(tries.value), bounds, decimal(minutes.value)]
