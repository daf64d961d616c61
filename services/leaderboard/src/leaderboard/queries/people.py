"""Boards of people, read by the index that keeps their order, and the figures of one person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from itertools import takewhile
from typing import Any
from uuid import UUID, uuid5

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Engine,
    Select,
    Subquery,
    and_,
    bindparam,
    func,
    or_,
    select,
    tuple_,
)

from leaderboard.adapters.projection import VERSION
from leaderboard.adapters.standing_read_model import StandingReadModel
from leaderboard.adapters.tables import person_tally, person_try, person_week, round_, task_configuration
from leaderboard.domain.badges import Badge, Progress, badges, next_badges
from leaderboard.domain.errors import TaskNotFound
from leaderboard.domain.groups import week
from leaderboard.domain.people import PersonCounts
from leaderboard.domain.user_board import BoardPlace, PersonRow, UserBoard, ranked
from leaderboard.queries.person_facts import PersonRecord, TaskName, read_person
from leaderboard.queries.rounds import read_revision

PERSON = person_tally.c
LONGEST_RUN = 1_000
MOST_RANKED, MOST_WEEKS = 100, 52
COUNTS = [PERSON[name] for name in PersonCounts._fields]
WEEK = person_week.c


def _ranking(of: Any, chosen: ColumnElement[bool]) -> Subquery:
    """Select everybody with validated errors in tasks, with place and rank."""
    number = func.sum(of.errors)
    return (
        select(
            of.person_id,
            number.label("errors"),
            func.rank().over(order_by=number.desc()).label("rank"),
            func.row_number().over(order_by=(number.desc(), of.person_id)).label("place"),
            func.count().over().label("people"),
        )
        .where(chosen, of.errors > 0)
        .group_by(of.person_id)
        .subquery()
    )


def _first(ranking: Subquery) -> Select[Any]:
    """Select the first people, and the caller."""
    is_wanted = or_(ranking.c.place <= MOST_RANKED, ranking.c.person_id == bindparam("caller"))
    return select(ranking).where(is_wanted).order_by(ranking.c.place)


TASK_IDS: BindParameter[UUID] = bindparam("task_ids", expanding=True)
OF_ALL_TIME = _ranking(PERSON, PERSON.scope_id.in_(TASK_IDS))
OF_WEEK = _ranking(WEEK, and_(WEEK.task_id.in_(TASK_IDS), WEEK.week == bindparam("week")))
FIRST_OF_ALL_TIME, FIRST_OF_WEEK = _first(OF_ALL_TIME), _first(OF_WEEK)
OWN_RANK = select(
    select(OF_WEEK.c.rank)
    .where(OF_WEEK.c.person_id == bindparam("person_id"))
    .scalar_subquery()
    .label("rank"),
    select(func.count()).select_from(OF_WEEK).scalar_subquery().label("people"),
)
OWN_SUMS = select(
    *(func.coalesce(func.sum(person_try.c[name]), 0) for name in ("tries", "kept", "errors"))
).where(person_try.c.person_id == bindparam("person_id"), person_try.c.created_at >= bindparam("monday"))
OWN_RUN = (
    select(person_try.c.kept)
    .where(person_try.c.person_id == bindparam("person_id"), person_try.c.decided > 0)
    .order_by(person_try.c.created_at.desc(), person_try.c.example_id.desc())
    .limit(LONGEST_RUN)
)


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


@dataclass(frozen=True, slots=True)
class OwnWeek:
    """A person's tries of an ISO week (UTC) in all tasks; `rank` is None without a validated error."""

    week: str
    tries: int
    fooled: int
    validated_errors: int
    in_a_row: int
    rank: int | None
    people: int


@dataclass(frozen=True, slots=True)
class PersonPlace:
    """A person's place by validated errors; ties share a rank."""

    person_id: UUID
    rank: int
    validated_errors: int


@dataclass(frozen=True, slots=True)
class PeopleRanks:
    """The first people by validated errors; `week` is None for all time, `people` counts all with an error."""

    week: str | None
    people: int
    items: Sequence[PersonPlace]
    mine: PersonPlace | None


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
        with self._read_model.connect() as connection:
            return Scope(round_id, read_revision(connection, round_id))

    def board(self, scope: Scope, after: BoardPlace | None, most: int, caller: UUID | None) -> UserBoard:
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
                None if caller is None else _own(connection, scope, caller),
            )

    def ranks(
        self, slug: str | None, of_week: str | None, caller: UUID | None, hidden: frozenset[str]
    ) -> PeopleRanks:
        """Return the first people by validated errors in a task or in all, of a week or of all time.

        Tasks that are `hidden` count nothing.

        Raises TaskNotFound.
        """
        with self._read_model.connect() as connection:
            parameters = {"task_ids": _task_ids(connection, slug, hidden), "week": of_week, "caller": caller}
            statement = FIRST_OF_ALL_TIME if of_week is None else FIRST_OF_WEEK
            rows = connection.execute(statement, parameters).all()
        places = [PersonPlace(row.person_id, row.rank, int(row.errors)) for row in rows]
        mine = next((each for each in places if each.person_id == caller), None)
        return PeopleRanks(of_week, rows[0].people if rows else 0, places[:MOST_RANKED], mine)

    def weeks(self, person_id: UUID, hidden: frozenset[str]) -> Sequence[tuple[str, int]]:
        """Return a person's newest weeks with validated errors in tasks that are not `hidden`, with their number."""
        columns = person_week.c
        errors = func.sum(columns.errors)
        statement = (
            select(columns.week, errors)
            .where(
                columns.person_id == person_id, columns.errors > 0, columns.task_id.not_in(_called(hidden))
            )
            .group_by(columns.week)
            .order_by(columns.week.desc())
            .limit(MOST_WEEKS)
        )
        with self._read_model.connect() as connection:
            return [(found_week, int(number)) for found_week, number in connection.execute(statement)]

    def own_week(self, person_id: UUID, now: datetime, hidden: frozenset[str]) -> OwnWeek:
        """Return a person's tries of the week of `now`; the rank is that in all tasks but those `hidden`."""
        with self._read_model.connect() as connection:
            tries, fooled, errors = _sums(connection, person_id, now)
            task_ids = _task_ids(connection, None, hidden)
            parameters = {"task_ids": task_ids, "week": week(now), "person_id": person_id}
            standing = connection.execute(OWN_RANK, parameters).one()
            return OwnWeek(
                week=week(now),
                tries=tries,
                fooled=fooled,
                validated_errors=errors,
                in_a_row=_in_a_row(connection, person_id),
                rank=standing.rank,
                people=standing.people,
            )

    def own_badges(self, person_id: UUID, hidden: frozenset[str]) -> PersonBadges:
        """Return one's own badges, and the next ones, without those of tasks that are `hidden`."""
        record = self._person(person_id, hidden, with_anonymous=True)
        return PersonBadges(person_id, badges(record.facts), next_badges(record.facts), record.tasks)

    def badges_of(self, person_id: UUID, hidden: frozenset[str]) -> PersonBadges:
        """Return another person's badges, without next ones and without those earned by anonymous models."""
        record = self._person(person_id, hidden, with_anonymous=False)
        return PersonBadges(person_id, badges(record.facts), (), record.tasks)

    def _person(self, person_id: UUID, hidden: frozenset[str], *, with_anonymous: bool) -> PersonRecord:
        with self._read_model.connect() as connection:
            return read_person(connection, person_id, hidden, with_anonymous=with_anonymous)


def _sums(connection: Connection, person_id: UUID, now: datetime) -> tuple[int, int, int]:
    """Return a person's tries, kept fooling and validated errors since Monday (UTC)."""
    monday = datetime.combine(
        now.astimezone(UTC).date() - timedelta(days=now.astimezone(UTC).weekday()), time(), UTC
    )
    tries, fooled, errors = connection.execute(OWN_SUMS, {"person_id": person_id, "monday": monday}).one()
    return int(tries), int(fooled), int(errors)


def _called(slugs: frozenset[str]) -> Select[tuple[UUID]]:
    return select(task_configuration.c.task_id).where(task_configuration.c.slug.in_(slugs))


def _task_ids(connection: Connection, slug: str | None, hidden: frozenset[str]) -> Sequence[UUID]:
    """Return the id of a task, or of all but those `hidden`. Raises TaskNotFound."""
    columns = task_configuration.c
    known = select(columns.task_id).distinct().where(columns.slug.not_in(hidden))
    found = connection.execute(known if slug is None else known.where(columns.slug == slug)).scalars().all()
    if slug is not None and not found:
        raise TaskNotFound
    return found


def _in_a_row(connection: Connection, person_id: UUID) -> int:
    """Return how many of a person's newest tries with a verdict fooled and were not rejected, without a break."""
    newest = connection.execute(OWN_RUN, {"person_id": person_id}).scalars()
    return sum(1 for _ in takewhile(bool, newest))


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
