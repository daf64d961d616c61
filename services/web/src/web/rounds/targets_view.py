"""Targets of a round: those that stopped answering, and the foolings of each pair."""

from dataclasses import dataclass

from dynabench_client.results.annotation import LostTarget, LostTargets
from dynabench_client.results.leaderboard import FoolingMatrix

from web.kit import isolation
from web.kit.language import _
from web.kit.numbers import count, day_and_time
from web.kit.service_words import service_words


@dataclass(frozen=True)
class LostView:
    """Entry about a lost target: event, time and reason, as far as known."""

    words: str
    reason: str


def lost_views(found: LostTargets) -> list[LostView]:
    """Return the entries, the newest first."""
    return [LostView(_words(lost), service_words(lost.reason)) for lost in found.items]


def _words(lost: LostTarget) -> str:
    said = {
        "target": isolation.name(lost.target),
        "moment": day_and_time(lost.lost_at),
        "since": day_and_time(lost.failing_since),
    }
    if lost.paused:
        return _(
            "%(moment)s: the round was paused. It needs %(target)s, which had not answered since %(since)s.",
            **said,
        )
    return _(
        "%(moment)s: %(target)s was removed because it had not answered since %(since)s. The next try "
        "begins a new segment.",
        **said,
    )


@dataclass(frozen=True)
class FooledPairRow:
    """Counts of two targets: fooled together, alone, or not at all."""

    a: str
    b: str
    both: str
    only_a: str
    only_b: str
    neither: str


def pair_rows(matrix: FoolingMatrix | None) -> list[FooledPairRow]:
    """Return a row per pair of targets; none without a matrix."""
    return [
        FooledPairRow(
            pair.a, pair.b, count(pair.both), count(pair.only_a), count(pair.only_b), count(pair.neither)
        )
        for pair in (matrix.pairs if matrix else ())
    ]
