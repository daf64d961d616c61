"""Boards for readers: worked out once per revision, however many people watch.

A page that polls asks for the revision alone, one row by its key. The figures behind it are kept in this process
until the revision moves on.
"""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Protocol
from uuid import UUID

from leaderboard.domain.board import Board
from leaderboard.domain.history import HistoryCounts, Point, points
from leaderboard.domain.matrix import RoundMatrix

KEPT_BOARDS = 256
ROUNDS_AT_ONCE = 8


class RoundNotFound(Exception):
    """No round of this id is known."""


@dataclass(frozen=True, slots=True)
class Course:
    """A round's figures over time, of one revision."""

    revision: UUID
    as_of: datetime
    points: tuple[Point, ...]


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
    """What one person's tries came to."""

    tries: int
    decided: int
    fooled: int
    retracted: int
    pending: int
    validated_errors: int


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task as the store lists it."""

    task_id: UUID
    slug: str
    title: str
    rounds: int
    current_round_id: UUID | None


class BoardStore(Protocol):
    """Where boards are read from."""

    def revision(self, round_id: UUID) -> UUID | None:
        """Return the round's revision, or None for an unknown round."""

    def board(self, round_id: UUID) -> Board | None:
        """Return the round's board as of one moment."""

    def course(
        self, round_id: UUID
    ) -> tuple[UUID, datetime, timedelta, list[tuple[datetime, HistoryCounts]]] | None:
        """Return revision, as_of and the stretches of the round's history with their common length."""

    def matrix(self, round_id: UUID) -> RoundMatrix | None:
        """Return the round's fooling matrix."""

    def tasks(self, after_slug: str, most: int) -> list[TaskRow]:
        """Return at most so many tasks by slug, those after `after_slug`."""

    def own_figures(self, person_id: UUID, round_id: UUID | None) -> OwnFigures:
        """Return what a person's tries in one round, or in all, came to."""


class Boards:
    """Answers for boards; safe to share between threads."""

    def __init__(self, store: BoardStore) -> None:
        self._store = store
        self._kept: OrderedDict[UUID, Board] = OrderedDict()
        self._lock = Lock()
        self._at_work = [Lock() for _ in range(ROUNDS_AT_ONCE)]

    def revision(self, round_id: UUID) -> UUID:
        """Return the round's revision. Raises RoundNotFound."""
        revision = self._store.revision(round_id)
        if revision is None:
            raise RoundNotFound(round_id)
        return revision

    def board(self, round_id: UUID) -> Board:
        """Return the round's board. Raises RoundNotFound.

        Readers that ask while it is being worked out wait for that one instead of each working it out.
        """
        revision = self.revision(round_id)
        held = self._kept.get(round_id)
        if held is not None and held.revision == revision:
            return held
        with self._at_work[hash(round_id) % len(self._at_work)]:
            fresh = self._kept.get(round_id)
            if fresh is not None and fresh is not held:
                return fresh
            board = self._store.board(round_id)
            if board is None:
                raise RoundNotFound(round_id)
            self._keep(board)
            return board

    def course(self, round_id: UUID) -> Course:
        """Return the round's figures over time. Raises RoundNotFound."""
        found = self._store.course(round_id)
        if found is None:
            raise RoundNotFound(round_id)
        revision, as_of, length, stretches = found
        return Course(revision, as_of, tuple(points(stretches, length)))

    def matrix(self, round_id: UUID) -> RoundMatrix:
        """Return the round's fooling matrix. Raises RoundNotFound."""
        found = self._store.matrix(round_id)
        if found is None:
            raise RoundNotFound(round_id)
        return found

    def tasks(self, after_slug: str, most: int) -> list[TaskHeadline]:
        """Return tasks by slug, those after `after_slug`, with their current rounds' boards."""
        return [
            TaskHeadline(
                row.task_id,
                row.slug,
                row.title,
                row.rounds,
                None if row.current_round_id is None else self.board(row.current_round_id),
            )
            for row in self._store.tasks(after_slug, most)
        ]

    def own_figures(self, person_id: UUID, round_id: UUID | None) -> OwnFigures:
        """Return what a person's tries came to, in one round or in all. Raises RoundNotFound."""
        if round_id is not None:
            self.revision(round_id)
        return self._store.own_figures(person_id, round_id)

    def _keep(self, board: Board) -> None:
        with self._lock:
            self._kept[board.round_id] = board
            self._kept.move_to_end(board.round_id)
            while len(self._kept) > KEPT_BOARDS:
                self._kept.popitem(last=False)
