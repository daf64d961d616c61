"""View of rounds as columns: their figures, and the differences to the previous round."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from dynabench_client.results.annotation import Round
from dynabench_client.results.leaderboard import Effort, Rate, RoundFigures, Standing
from dynabench_client.results.validation import Agreement
from dynabench_tasks.statistics.differences import difference

from web.kit.language import _, ngettext
from web.kit.numbers import MISSING, RateView, TimeView, count, day, decimal, rate
from web.kit.rounds import RoundView, opened_at, round_view
from web.kit.service_words import service_words
from web.kit.tries_line import TriesLine, tries_line

LEAST_AGREEMENT = 20
"""With fewer examples with votes, agreement is not informative."""


@dataclass(frozen=True)
class RoundRead:
    """Readable parts of a round; None for a part that failed, or that the reader may not see."""

    round: Round
    board: RoundFigures | None
    agreement: Agreement | None
    effort: Sequence[Effort] | None
    standing: Standing | None


@dataclass(frozen=True)
class DifferenceView:
    """Difference of a rate to that of the previous round, in points, or the reason why there is none."""

    value: str
    interval: str
    verdict: str


@dataclass(frozen=True)
class RoundColumn:
    """A round in the comparison; unreadable parts are None, and `authors` is empty if they are not shown."""

    round: RoundView
    tries: TriesLine | None
    validity: RateView | None
    agreement: str
    authors: str
    opened: TimeView | None
    days: str
    mer_change: DifferenceView | None
    vmer_change: DifferenceView | None


def round_columns(found: Sequence[RoundRead]) -> list[RoundColumn]:
    """Return the rounds, the newest first, each compared with the next one in the list."""
    befores = [*found[1:], None][: len(found)]
    return [_column(read, before) for read, before in zip(found, befores, strict=True)]


def _column(read: RoundRead, before: RoundRead | None) -> RoundColumn:
    board, older = read.board, before.board if before else None
    both = board is not None and older is not None
    return RoundColumn(
        round=round_view(read.round),
        tries=None if board is None else tries_line(board),
        validity=None if board is None else rate(board.validity),
        agreement=_agreement(read.agreement),
        authors="" if read.standing is None else count(read.standing.authors.people),
        opened=day(opened_at(board)) if board else None,
        days=_days(read),
        mer_change=_change(board.mer, older.mer) if both and board and older else None,
        vmer_change=_vmer_change(board, older) if both and board and older else None,
    )


def _change(newer: Rate, older: Rate, *, is_projected: bool = False) -> DifferenceView:
    found = difference(newer, older)
    if found is None:
        return DifferenceView("", "", _why_not(newer, older))
    points = _("%(number)s points", number=_signed(found.value))
    between = f"{_signed(found.low)}\u00a0…\u00a0{_signed(found.high)}"
    return DifferenceView(points, between, _verdict(is_projected=is_projected, is_noise=found.is_noise))


def _verdict(*, is_projected: bool, is_noise: bool) -> str:
    if is_projected:
        return _("within noise, estimated") if is_noise else _("more than noise, estimated")
    return _("within noise") if is_noise else _("more than noise")


def _vmer_change(newer: RoundFigures, older: RoundFigures) -> DifferenceView:
    """Compare vMER; if votes are missing it is too low, and the projected vMER replaces it."""
    is_projected = bool(newer.vmer_range.pending or older.vmer_range.pending)
    return _change(_settled(newer), _settled(older), is_projected=is_projected)


def _settled(board: RoundFigures) -> Rate:
    return board.vmer_projected if board.vmer_range.pending else board.vmer


def _why_not(newer: Rate, older: Rate) -> str:
    without = older if newer.low is not None else newer
    return service_words(without.reason or "") or _("not available")


def _signed(share: float) -> str:
    points = decimal(abs(share) * 100)
    return f"−{points}" if share < 0 else f"+{points}"


def _agreement(found: Agreement | None) -> str:
    if found is None:
        return MISSING
    alpha = found.krippendorff_alpha
    if alpha.value is None:
        return service_words(alpha.reason or "") or MISSING
    if alpha.n < LEAST_AGREEMENT:
        return _("needs %(number)s examples with votes", number=count(LEAST_AGREEMENT))
    return ngettext(
        "%(value)s on %(shown)s\u00a0example",
        "%(value)s on %(shown)s\u00a0examples",
        alpha.n,
        value=decimal(alpha.value, 2),
        shown=count(alpha.n),
    )


def _days(read: RoundRead) -> str:
    """Return the number of days that an open round has been open; for others the closing time is unknown."""
    opened = None if read.board is None else opened_at(read.board)
    if opened is None or not read.round.is_open:
        return ""
    days = max(1, (datetime.now(UTC) - opened).days + 1)
    return ngettext("%(shown)s\u00a0day so far", "%(shown)s\u00a0days so far", days, shown=count(days))
