"""Standings of rounds for their owners: funnel, burn-up, authors, labels, and whether the next round is due."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Protocol
from uuid import UUID

from dynabench_common.clock import Clock

from leaderboard.domain.board import Board
from leaderboard.domain.forecast import WINDOW, Pace, days_before, forecast
from leaderboard.domain.next_round import Advice, Evidence, advice, evidence
from leaderboard.domain.rates import withheld
from leaderboard.domain.standing import BurnUp, Concentration, Funnel, funnel
from leaderboard.domain.tally import Tally
from leaderboard.service_layer.boards import Boards, RoundNotFound

GROWING = frozenset({"open", "paused"})


@dataclass(frozen=True, slots=True)
class RoundHead:
    """Description of a round, in a list or above its figures."""

    round_id: UUID
    task_slug: str
    number: int
    title: str
    state: str
    origin: str


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """The counts of a round's rule, with its goal if its task sets one."""

    origin: str
    goal: int | None
    total: Tally


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """Inputs of a round's standing, of one moment.

    `points` are the validated errors until a moment. `by_day` are those of each day before the requested moment, the
    newest last. `first_at` is the start of the history.
    """

    head: RoundHead
    goal: int | None
    opened_at: datetime | None
    first_at: datetime | None
    as_of: datetime
    total: Tally
    census: Mapping[str, Mapping[str, int]]
    cohorts: Mapping[str, int]
    authors: Concentration
    points: tuple[tuple[datetime, int], ...]
    by_day: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """Standing of a round."""

    head: RoundHead
    opened_at: datetime | None
    as_of: datetime
    funnel: Funnel
    burn_up: BurnUp
    authors: Concentration
    claimed: Mapping[str, int]
    gold: Mapping[str, int]
    cohorts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Place:
    """Cursor of a page of rounds: it begins after this round in the order of the list."""

    task_slug: str
    number: int
    round_id: UUID


class StandingStore(Protocol):
    """Store of standings."""

    def task_slug(self, round_id: UUID) -> str | None:
        """Return the slug of the round's task, empty while unknown; None for an unknown round."""

    def progress(self, round_id: UUID) -> RoundProgress | None:
        """Return how far the round has come; None for an unknown round."""

    def record(self, round_id: UUID, now: datetime, window: timedelta) -> RoundRecord | None:
        """Return what the round's standing follows from; None for an unknown round."""

    def rounds(self, slugs: frozenset[str] | None, after: Place | None, most: int) -> list[RoundHead]:
        """Return rounds of these tasks, or of all, by task and then the newest first."""


class Standings:
    """Answers for owners; safe to share between threads. Whatever is about one round raises RoundNotFound."""

    def __init__(self, store: StandingStore, boards: Boards, clock: Clock) -> None:
        self._store = store
        self._boards = boards
        self._clock = clock

    def task_slug(self, round_id: UUID) -> str:
        """Return the slug of the round's task, empty while it is unknown."""
        slug = self._store.task_slug(round_id)
        if slug is None:
            raise RoundNotFound(round_id)
        return slug

    def standing(self, round_id: UUID) -> Standing:
        """Return where a round stands now."""
        now = self._clock.now()
        record = self._store.record(round_id, now, WINDOW)
        if record is None:
            raise RoundNotFound(round_id)
        return Standing(
            record.head,
            record.opened_at,
            record.as_of,
            funnel(record.total, record.census.get("outcome", {})),
            _burn_up(record, now),
            record.authors,
            record.census.get("claimed", {}),
            record.census.get("gold", {}),
            record.cohorts,
        )

    def page(
        self, slugs: frozenset[str] | None, after: Place | None, most: int
    ) -> list[tuple[RoundHead, Board]]:
        """Return rounds of these tasks, or of all, with their boards."""
        return [(head, self._boards.board(head.round_id)) for head in self._store.rounds(slugs, after, most)]

    def next_round(self, round_id: UUID) -> tuple[Advice, list[Evidence]]:
        """Return whether it is time for the next round, and why."""
        record, trend = self._store.progress(round_id), self._boards.time_series(round_id).trend
        if record is None:
            raise RoundNotFound(round_id)
        found = evidence(record.total, trend, record.goal, withheld(record.origin))
        return advice(found), found


def _burn_up(record: RoundRecord, now: datetime) -> BurnUp:
    days = days_before(now, record.first_at)
    pace = Pace(days, record.by_day[len(record.by_day) - ceil(days) :])
    validated = record.total.errors + record.total.apart_errors
    grows = record.head.state in GROWING and not record.head.origin
    band, reason = forecast(record.goal, validated, pace, now, grows=grows)
    return BurnUp(record.goal, record.points, pace.per_day, band, reason)
