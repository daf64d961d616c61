"""Boards for readers: figures of a round, whole, by group and over time, and what the fooling cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol, TypeVar
from uuid import UUID

from leaderboard.domain.board import Board, Group, by_target
from leaderboard.domain.effort import (
    Cost,
    EffortCounts,
    SurvivalCounts,
    Survivors,
    design_effect,
    minutes_per_error,
    survival,
    tries_per_fooling,
)
from leaderboard.domain.groups import Dimension
from leaderboard.domain.matrix import RoundMatrix
from leaderboard.domain.tally import RULE
from leaderboard.domain.time_series import Point, Trend
from leaderboard.service_layer.revision_cache import RevisionCache

MOST_OWN_ROUNDS = 50
CACHED_BOARDS = 256
CACHED_OTHERS = 64
TIME_SERIES_REST = 9.0
"""One that is slow to work out takes a tenth of the time at most: 0.7 s with 10,000 authors over two months."""
Answer = TypeVar("Answer")


class RoundNotFound(Exception):
    """No round of this id is known."""


class By(StrEnum):
    """What a round's figures can be broken down by."""

    SEGMENT = "segment"
    TARGET = "target"
    CONDITION = "condition"
    COHORT = "cohort"
    TAG = "tag"
    WEEK = "week"


@dataclass(frozen=True, slots=True)
class RoundTimeSeries:
    """A round's figures over time, of one revision; `trend` is None if there is none to speak of."""

    revision: UUID
    as_of: datetime
    points: tuple[Point, ...]
    trend: Trend | None


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A round's figures by one dimension, of one revision."""

    revision: UUID
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class RoundEffort:
    """Inputs of effort by subject: the time of tries, and the ends of context efforts."""

    revision: UUID
    times: Mapping[str, EffortCounts]
    context_efforts: Mapping[str, Sequence[tuple[int, SurvivalCounts]]]


@dataclass(frozen=True, slots=True)
class SubjectEffort:
    """Effort of fooling one target, or the rule if `target` is None."""

    target: str | None
    tries_per_fooling: Cost
    minutes_per_validated_error: Cost
    survival: tuple[Survivors, ...]


@dataclass(frozen=True, slots=True)
class TaskHeadline:
    """A task with the board of its current round: the newest open one, else the newest; None without any."""

    task_id: UUID
    slug: str
    title: str
    rounds: int
    board: Board | None


@dataclass(frozen=True, slots=True)
class OwnFigures:
    """Results of one person's tries."""

    tries: int
    decided: int
    fooled: int
    retracted: int
    pending: int
    validated_errors: int


@dataclass(frozen=True, slots=True)
class OwnRound:
    """A round that one person wrote in, and what their tries in it came to."""

    round_id: UUID
    task_slug: str
    task_title: str
    number: int
    state: str
    figures: OwnFigures


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task as the store lists it; of its current round, if it has one, the id and the revision."""

    task_id: UUID
    slug: str
    title: str
    rounds: int
    current_round_id: UUID | None
    current_revision: UUID | None


class BoardStore(Protocol):
    """Store of boards; each answer is of one moment, None for an unknown round."""

    def revision(self, round_id: UUID) -> UUID | None:
        """Return the round's revision."""

    def board(self, round_id: UUID) -> Board | None:
        """Return the round's board."""

    def groups(self, round_id: UUID, dimension: Dimension) -> tuple[UUID, tuple[Group, ...]] | None:
        """Return the round's revision and the groups of a dimension by name."""

    def time_series(self, round_id: UUID) -> RoundTimeSeries | None:
        """Return the round's figures over time."""

    def effort(self, round_id: UUID) -> RoundEffort | None:
        """Return what the round's effort follows from."""

    def matrix(self, round_id: UUID) -> RoundMatrix | None:
        """Return the round's fooling matrix."""

    def tasks(self, after_slug: str, most: int) -> list[TaskRow]:
        """Return at most so many tasks by slug, those after `after_slug`."""

    def own_figures(self, person_id: UUID, round_id: UUID | None) -> OwnFigures:
        """Return what a person's tries in one round, or in all, came to."""

    def own_rounds(self, person_id: UUID, most: int) -> list[OwnRound]:
        """Return at most so many rounds that a person wrote in, the one that was opened last first."""


class Boards:
    """Answers for boards; safe to share between threads. Whatever is about one round raises RoundNotFound."""

    def __init__(self, store: BoardStore) -> None:
        self._store = store
        self._boards: RevisionCache[Board] = RevisionCache(CACHED_BOARDS)
        self._breakdowns: RevisionCache[Breakdown] = RevisionCache(CACHED_OTHERS)
        self._time_series: RevisionCache[RoundTimeSeries] = RevisionCache(CACHED_OTHERS, TIME_SERIES_REST)

    def revision(self, round_id: UUID) -> UUID:
        """Return the round's revision."""
        return _found(round_id, self._store.revision(round_id))

    def board(self, round_id: UUID) -> Board:
        """Return the round's board."""
        return self._board(round_id, self.revision(round_id))

    def breakdown(self, round_id: UUID, by: By) -> Breakdown:
        """Return the round's figures by one dimension: segments by number, targets in the round's order."""
        if by in {By.SEGMENT, By.TARGET, By.CONDITION}:
            board = self.board(round_id)
            return Breakdown(board.revision, tuple(_parts(board, by)))
        return self._breakdowns.get(
            (round_id, by), self.revision(round_id), lambda: self._groups(round_id, Dimension(by.value))
        )

    def time_series(self, round_id: UUID) -> RoundTimeSeries:
        """Return the round's figures over time."""
        return self._time_series.get(
            round_id, self.revision(round_id), lambda: _found(round_id, self._store.time_series(round_id))
        )

    def effort(self, round_id: UUID) -> tuple[UUID, tuple[SubjectEffort, ...]]:
        """Return the revision and what fooling cost: the rule first, then the targets in the round's order."""
        board = self.board(round_id)
        found = _found(round_id, self._store.effort(round_id))
        subjects = [(None, board.figures), *by_target(board.subjects, board.target_names)]
        return board.revision, tuple(
            SubjectEffort(
                target,
                tries_per_fooling(figures.mer),
                minutes_per_error(found.times.get(target or RULE, EffortCounts()), figures.total.errors),
                tuple(survival(found.context_efforts.get(target or RULE, ()), design_effect(figures.mer))),
            )
            for target, figures in subjects
        )

    def matrix(self, round_id: UUID) -> RoundMatrix:
        """Return the round's fooling matrix."""
        return _found(round_id, self._store.matrix(round_id))

    def tasks(self, after_slug: str, most: int) -> list[TaskHeadline]:
        """Return tasks by slug, those after `after_slug`, with their current rounds' boards."""
        return [
            TaskHeadline(
                row.task_id,
                row.slug,
                row.title,
                row.rounds,
                self._current_board(row),
            )
            for row in self._store.tasks(after_slug, most)
        ]

    def own_figures(self, person_id: UUID, round_id: UUID | None) -> OwnFigures:
        """Return what a person's tries came to, in one round or in all."""
        if round_id is not None:
            self.revision(round_id)
        return self._store.own_figures(person_id, round_id)

    def own_rounds(self, person_id: UUID) -> list[OwnRound]:
        """Return the rounds that a person wrote in, the one that was opened last first; the last `MOST_OWN_ROUNDS`."""
        return self._store.own_rounds(person_id, MOST_OWN_ROUNDS)

    def _board(self, round_id: UUID, revision: UUID) -> Board:
        return self._boards.get(round_id, revision, lambda: _found(round_id, self._store.board(round_id)))

    def _current_board(self, row: TaskRow) -> Board | None:
        round_id, revision = row.current_round_id, row.current_revision
        return None if round_id is None or revision is None else self._board(round_id, revision)

    def _groups(self, round_id: UUID, dimension: Dimension) -> Breakdown:
        return Breakdown(*_found(round_id, self._store.groups(round_id, dimension)))


def _found(round_id: UUID, answer: Answer | None) -> Answer:
    if answer is None:
        raise RoundNotFound(round_id)
    return answer


def _parts(board: Board, by: By) -> list[Group]:
    if by is By.CONDITION:
        return list(board.arms)
    if by is By.TARGET:
        return [Group(name, figures) for name, figures in by_target(board.subjects, board.target_names)]
    return [
        Group(str(part.segment_id if part.number is None else part.number), part.figures)
        for part in board.segments
    ]
