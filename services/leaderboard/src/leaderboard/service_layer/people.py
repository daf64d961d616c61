"""Boards of people, and what one person has come to: rows by rank, badges with those to come next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from leaderboard.domain.badges import Badge, PersonFacts, Progress, badges, next_badges
from leaderboard.domain.user_board import BoardPlace, UserBoard
from leaderboard.service_layer.boards import RoundNotFound
from leaderboard.service_layer.model_boards import TaskNotFound


@dataclass(frozen=True, slots=True)
class Scope:
    """Scope of a board of people, a round or a whole task, with the revision of its known facts."""

    scope_id: UUID
    revision: UUID


@dataclass(frozen=True, slots=True)
class TaskName:
    """A task as people know it."""

    slug: str
    title: str


@dataclass(frozen=True, slots=True)
class PersonRecord:
    """Facts behind a person's badges, and the names of all tasks by id."""

    facts: PersonFacts
    tasks: Mapping[UUID, TaskName]


@dataclass(frozen=True, slots=True)
class PersonBadges:
    """A person's badges, the newest first, and the next ones; `tasks` are the names of tasks by id."""

    person_id: UUID
    earned: Sequence[Badge]
    next: Sequence[Progress]
    tasks: Mapping[UUID, TaskName]


class PeopleStore(Protocol):
    """Store of people's sums."""

    def task(self, slug: str) -> Scope | None:
        """Return a task, None for an unknown one."""

    def round(self, round_id: UUID) -> Scope | None:
        """Return a round, None for an unknown one."""

    def board(self, scope: Scope, after: BoardPlace | None, most: int, asker: UUID | None) -> UserBoard:
        """Return at most so many rows after a place, and the asker's own."""

    def person(self, person_id: UUID, *, with_anonymous: bool) -> PersonRecord:
        """Return what badges follow from; models that were published unnamed only if they are asked for."""


class People:
    """Answers about people; safe to share between threads."""

    def __init__(self, store: PeopleStore) -> None:
        self._store = store

    def task(self, slug: str) -> Scope:
        """Return what the board of a task is about. Raises TaskNotFound."""
        found = self._store.task(slug)
        if found is None:
            raise TaskNotFound
        return found

    def round(self, round_id: UUID) -> Scope:
        """Return what the board of a round is about. Raises RoundNotFound."""
        found = self._store.round(round_id)
        if found is None:
            raise RoundNotFound(round_id)
        return found

    def board(self, scope: Scope, after: BoardPlace | None, most: int, asker: UUID | None) -> UserBoard:
        """Return at most so many rows after a place, and the asker's own."""
        return self._store.board(scope, after, most, asker)

    def own_badges(self, person_id: UUID) -> PersonBadges:
        """Return one's own badges, and the next ones."""
        record = self._store.person(person_id, with_anonymous=True)
        return PersonBadges(person_id, badges(record.facts), next_badges(record.facts), record.tasks)

    def badges_of(self, person_id: UUID) -> PersonBadges:
        """Return another's badges: none that a model earned which was published unnamed, and not what comes next."""
        record = self._store.person(person_id, with_anonymous=False)
        return PersonBadges(person_id, badges(record.facts), (), record.tasks)
