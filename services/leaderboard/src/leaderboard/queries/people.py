"""Boards of people, read by the index that keeps their order, and what one person has come to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid5

from sqlalchemy import ColumnElement, Connection, Engine, Select, and_, func, or_, select, tuple_

from leaderboard.adapters.projection import VERSION
from leaderboard.adapters.standing_read_model import StandingReadModel
from leaderboard.adapters.tables import person_tally, round_, task_configuration
from leaderboard.domain.badges import Badge, Progress, badges, next_badges
from leaderboard.domain.errors import RoundNotFound, TaskNotFound
from leaderboard.domain.people import PersonCounts
from leaderboard.domain.user_board import BoardPlace, PersonRow, UserBoard, ranked
from leaderboard.queries.person_facts import PersonRecord, TaskName, read_person

PERSON = person_tally.c
COUNTS = [PERSON[name] for name in PersonCounts._fields]


@dataclass(frozen=True, slots=True)
class Scope:
    """Scope of a board of people, a round or a whole task, with the revision of its known facts."""

    scope_id: UUID
    revision: UUID


@dataclass(frozen=True, slots=True)
class PersonBadges:
    """A person's badges, the newest first, and the next ones; `tasks` are the names of tasks by id."""

    person_id: UUID
    earned: Sequence[Badge]
    next: Sequence[Progress]
    tasks: Mapping[UUID, TaskName]


class People:
    """Answers about people, each from one moment; safe to share between threads."""

    def __init__(self, engine: Engine, version: int = VERSION) -> None:
        self._read_model = StandingReadModel(engine, version)

    def task(self, slug: str) -> Scope:
        """Return what the board of a task is about. Raises TaskNotFound.

        Its revision follows from those of its rounds.
        """
        columns = task_configuration.c
        known = select(columns.task_id).where(columns.slug == slug).limit(1)
        with self._read_model.connect() as connection:
            task_id = connection.execute(known).scalar_one_or_none()
            if task_id is None:
                raise TaskNotFound
            revisions = (
                select(round_.c.revision).where(round_.c.task_id == task_id).order_by(round_.c.round_id)
            )
            found = connection.execute(revisions).scalars()
            return Scope(task_id, uuid5(task_id, " ".join(map(str, found))))

    def round(self, round_id: UUID) -> Scope:
        """Return what the board of a round is about. Raises RoundNotFound."""
        statement = select(round_.c.revision).where(
            round_.c.round_id == round_id, round_.c.created_version.is_not(None)
        )
        with self._read_model.connect() as connection:
            revision = connection.execute(statement).scalar_one_or_none()
        if revision is None:
            raise RoundNotFound(round_id)
        return Scope(round_id, revision)

    def board(self, scope: Scope, after: BoardPlace | None, most: int, asker: UUID | None) -> UserBoard:
        """Return at most so many rows after a place, and the caller's own."""
        with self._read_model.connect() as connection:
            people = _count(connection, scope, None)
            statement = (
                _of(scope).order_by(PERSON.errors.desc(), PERSON.decided, PERSON.person_id).limit(most)
            )
            if after is not None:
                statement = statement.where(_after(after))
            found = [(row.person_id, PersonCounts(*row[1:])) for row in connection.execute(statement)]
            return UserBoard(
                scope.revision,
                people,
                _ranked(connection, scope, found),
                None if asker is None else _own(connection, scope, asker),
            )

    def own_badges(self, person_id: UUID) -> PersonBadges:
        """Return one's own badges, and the next ones."""
        record = self._person(person_id, with_anonymous=True)
        return PersonBadges(person_id, badges(record.facts), next_badges(record.facts), record.tasks)

    def badges_of(self, person_id: UUID) -> PersonBadges:
        """Return another's badges: none that a model earned which was published unnamed, and not what comes next."""
        record = self._person(person_id, with_anonymous=False)
        return PersonBadges(person_id, badges(record.facts), (), record.tasks)

    def _person(self, person_id: UUID, *, with_anonymous: bool) -> PersonRecord:
        with self._read_model.connect() as connection:
            return read_person(connection, person_id, with_anonymous=with_anonymous)


def _of(scope: Scope) -> Select[tuple[object, ...]]:
    return select(PERSON.person_id, *COUNTS).where(PERSON.scope_id == scope.scope_id)


def _after(place: BoardPlace) -> ColumnElement[bool]:
    """Match the rows after a place; the first part is where the index begins to be read."""
    later = tuple_(PERSON.decided, PERSON.person_id) > (place.decided, place.person_id)
    return and_(PERSON.errors <= place.errors, or_(PERSON.errors < place.errors, later))


def _ranked(
    connection: Connection, scope: Scope, found: Sequence[tuple[UUID, PersonCounts]]
) -> tuple[PersonRow, ...]:
    if not found:
        return ()
    first_id, first = found[0]
    before = _count(connection, scope, _comes_before(first, first_id))
    rank = 1 + _count(connection, scope, _ranks_before(first))
    return tuple(ranked(rank, found, before + 1))


def _own(connection: Connection, scope: Scope, person_id: UUID) -> PersonRow:
    row = connection.execute(_of(scope).where(PERSON.person_id == person_id)).one_or_none()
    if row is None:
        return PersonRow(person_id, PersonCounts(), None)
    counts = PersonCounts(*row[1:])
    return PersonRow(person_id, counts, 1 + _count(connection, scope, _ranks_before(counts)))


def _ranks_before(counts: PersonCounts) -> ColumnElement[bool]:
    if not counts.errors:
        return PERSON.errors > 0
    fewer_tries = and_(PERSON.errors == counts.errors, PERSON.decided < counts.decided)
    return and_(PERSON.errors >= counts.errors, or_(PERSON.errors > counts.errors, fewer_tries))


def _comes_before(counts: PersonCounts, person_id: UUID) -> ColumnElement[bool]:
    earlier = tuple_(PERSON.decided, PERSON.person_id) < (counts.decided, person_id)
    return and_(PERSON.errors >= counts.errors, or_(PERSON.errors > counts.errors, earlier))


def _count(connection: Connection, scope: Scope, matching: ColumnElement[bool] | None) -> int:
    statement = select(func.count()).select_from(person_tally).where(PERSON.scope_id == scope.scope_id)
    if matching is not None:
        statement = statement.where(matching)
    number: int = connection.execute(statement).scalar_one()
    return number
