"""Boards of people, read by the index that keeps their order."""

from collections.abc import Sequence
from uuid import UUID, uuid5

from sqlalchemy import ColumnElement, Connection, Engine, Select, and_, func, or_, select, tuple_

from leaderboard.adapters.projection import VERSION
from leaderboard.adapters.standing_read_model import StandingReadModel
from leaderboard.adapters.tables import person_tally, round_, task_configuration
from leaderboard.domain.people import PersonCounts
from leaderboard.domain.user_board import BoardPlace, PersonRow, UserBoard, ranked
from leaderboard.service_layer.people import PersonRecord, Scope
from leaderboard.views.person_facts import read_person

PERSON = person_tally.c
COUNTS = [PERSON[name] for name in PersonCounts._fields]


class SqlPeopleStore:
    """People's sums and facts, each answer from one moment."""

    def __init__(self, engine: Engine, version: int = VERSION) -> None:
        self._read_model = StandingReadModel(engine, version)

    def task(self, slug: str) -> Scope | None:
        """Return a task, None for an unknown one; its revision follows from those of its rounds."""
        columns = task_configuration.c
        known = select(columns.task_id).where(columns.slug == slug).limit(1)
        with self._read_model.connect() as connection:
            task_id = connection.execute(known).scalar_one_or_none()
            if task_id is None:
                return None
            revisions = (
                select(round_.c.revision).where(round_.c.task_id == task_id).order_by(round_.c.round_id)
            )
            found = connection.execute(revisions).scalars()
            return Scope(task_id, uuid5(task_id, " ".join(map(str, found))))

    def round(self, round_id: UUID) -> Scope | None:
        """Return a round, None for an unknown one."""
        statement = select(round_.c.revision).where(
            round_.c.round_id == round_id, round_.c.created_version.is_not(None)
        )
        with self._read_model.connect() as connection:
            revision = connection.execute(statement).scalar_one_or_none()
            return None if revision is None else Scope(round_id, revision)

    def board(self, scope: Scope, after: BoardPlace | None, most: int, asker: UUID | None) -> UserBoard:
        """Return at most so many rows after a place, and the asker's own."""
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

    def person(self, person_id: UUID, *, with_anonymous: bool) -> PersonRecord:
        """Return what badges follow from; models that were published unnamed only if they are asked for."""
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
