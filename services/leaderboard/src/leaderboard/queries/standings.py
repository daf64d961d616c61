"""Standings of rounds for their owners: funnel, burn-up, authors, labels, and whether the next round is due."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Any
from uuid import UUID

from dynabench_api.words import Advice
from dynabench_common.clock import Clock
from dynabench_tasks.configuration.goal import wanted_errors
from sqlalchemy import (
    Connection,
    DateTime,
    Engine,
    Executable,
    Integer,
    Row,
    bindparam,
    cast,
    extract,
    func,
    select,
    tuple_,
)

from leaderboard.adapters.projection import VERSION
from leaderboard.adapters.standing_read_model import StandingReadModel
from leaderboard.adapters.tables import example_count, group_tally, round_, round_history, tally
from leaderboard.domain.board import Board
from leaderboard.domain.forecast import WINDOW, Pace, days_before, forecast
from leaderboard.domain.groups import Dimension
from leaderboard.domain.next_round import Evidence, advice, evidence
from leaderboard.domain.rates import withheld
from leaderboard.domain.standing import BurnUp, Concentration, Funnel, funnel
from leaderboard.domain.tally import NOBODY, RULE, Tally
from leaderboard.queries.boards import Boards
from leaderboard.queries.rounds import newest_configurations, read_round
from leaderboard.queries.time_series import read_stretches

GROWING = frozenset({"open", "paused"})
OF_ROUND = tally.c.round_id == bindparam("round_id")
TOTAL = select(*(func.coalesce(func.sum(tally.c[name]), 0).label(name) for name in Tally._fields)).where(
    OF_ROUND, tally.c.subject == RULE
)


def _concentrated() -> Executable:
    tries = func.sum(tally.c.tries)
    authors = (
        select(tries.label("tries"), func.row_number().over(order_by=tries.desc()).label("place"))
        .where(OF_ROUND, tally.c.subject == RULE, tally.c.author_id != NOBODY)
        .group_by(tally.c.author_id)
        .subquery()
    )
    each, place = authors.c.tries, authors.c.place
    return select(
        func.count(), func.sum(each), func.sum(each).filter(place <= 5), func.max(each), func.sum(each * each)
    )


CONCENTRATION = _concentrated()
HOUR_SECONDS, DAY_SECONDS = 3_600, 86_400


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
    example_counts: Mapping[str, Mapping[str, int]]
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


class Standings:
    """Answers for owners, each from one moment; safe to share between threads.

    Whatever is about one round raises RoundNotFound.
    """

    def __init__(self, engine: Engine, boards: Boards, clock: Clock, version: int = VERSION) -> None:
        self._read_model = StandingReadModel(engine, version)
        self._boards = boards
        self._clock = clock

    def task_slug(self, round_id: UUID) -> str:
        """Return the slug of the round's task, empty while it is unknown."""
        with self._read_model.connect() as connection:
            return read_round(connection, round_id).slug or ""

    def standing(self, round_id: UUID) -> Standing:
        """Return where a round stands now."""
        now = self._clock.now()
        record = self._read_record(round_id, now)
        return Standing(
            record.head,
            record.opened_at,
            record.as_of,
            funnel(record.total, record.example_counts.get("outcome", {})),
            _burn_up(record, now),
            record.authors,
            record.example_counts.get("claimed", {}),
            record.example_counts.get("gold", {}),
            record.cohorts,
        )

    def page(
        self, slugs: frozenset[str] | None, after: Place | None, most: int
    ) -> list[tuple[RoundHead, Board]]:
        """Return rounds of these tasks, or of all, with their boards."""
        return [(head, self._boards.board(head.round_id)) for head in self._read_rounds(slugs, after, most)]

    def next_round(self, round_id: UUID) -> tuple[Advice, list[Evidence]]:
        """Return whether it is time for the next round, and why."""
        record, trend = self._read_progress(round_id), self._boards.time_series(round_id).trend
        found = evidence(record.total, trend, record.goal, withheld(record.origin))
        return advice(found), found

    def _read_progress(self, round_id: UUID) -> RoundProgress:
        with self._read_model.connect() as connection:
            round_row = read_round(connection, round_id)
            return RoundProgress(
                round_row.origin or "", wanted_errors(round_row.configuration), _total(connection, round_id)
            )

    def _read_record(self, round_id: UUID, now: datetime) -> RoundRecord:
        with self._read_model.connect() as connection:
            round_row = read_round(connection, round_id)
            points, first_at = _points(connection, round_id)
            return RoundRecord(
                head=_head(round_row),
                goal=wanted_errors(round_row.configuration),
                opened_at=round_row.opened_at,
                first_at=first_at,
                as_of=round_row.as_of,
                total=_total(connection, round_id),
                example_counts=_example_counts(connection, round_id),
                cohorts=_cohorts(connection, round_id),
                authors=_concentration(connection, round_id),
                points=points,
                by_day=_by_day(connection, round_id, now, WINDOW),
            )

    def _read_rounds(self, slugs: frozenset[str] | None, after: Place | None, most: int) -> list[RoundHead]:
        """Return rounds of these tasks, or of all, by task and then the newest first."""
        newest = newest_configurations()
        place = tuple_(newest.c.slug, -round_.c.number, round_.c.round_id)
        statement = (
            select(round_, newest.c.slug)
            .join_from(round_, newest, round_.c.task_id == newest.c.task_id)
            .where(round_.c.created_version.is_not(None))
            .order_by(*place)
            .limit(most)
        )
        if slugs is not None:
            statement = statement.where(newest.c.slug.in_(sorted(slugs)))
        if after is not None:
            statement = statement.where(place > (after.task_slug, -after.number, after.round_id))
        with self._read_model.connect() as connection:
            return [_head(row) for row in connection.execute(statement)]


def _burn_up(record: RoundRecord, now: datetime) -> BurnUp:
    days = days_before(now, record.first_at)
    pace = Pace(days, record.by_day[len(record.by_day) - ceil(days) :])
    validated = record.total.errors + record.total.apart_errors
    grows = record.head.state in GROWING and not record.head.origin
    band, reason = forecast(record.goal, validated, pace, now, grows=grows)
    return BurnUp(record.goal, record.points, pace.per_day, band, reason)


def _head(round_row: Row[Any]) -> RoundHead:
    return RoundHead(
        round_row.round_id,
        round_row.slug or "",
        round_row.number,
        round_row.title,
        round_row.state or "draft",
        round_row.origin or "",
    )


def _total(connection: Connection, round_id: UUID) -> Tally:
    return Tally.from_row(connection.execute(TOTAL, {"round_id": round_id}).one())


def _example_counts(connection: Connection, round_id: UUID) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = defaultdict(dict)
    statement = (
        select(example_count)
        .where(example_count.c.round_id == round_id)
        .order_by(example_count.c.kind, example_count.c.name)
    )
    for row in connection.execute(statement):
        found[row.kind][row.name] = row.examples
    return dict(found)


def _cohorts(connection: Connection, round_id: UUID) -> dict[str, int]:
    columns = group_tally.c
    statement = (
        select(columns.name, columns.tries)
        .where(columns.round_id == round_id, columns.dimension == Dimension.COHORT.value)
        .order_by(columns.name)
    )
    return {row.name: row.tries for row in connection.execute(statement)}


def _concentration(connection: Connection, round_id: UUID) -> Concentration:
    """Return how much of the tries of known authors a few of them made."""
    people, total, top5, top1, squares = connection.execute(CONCENTRATION, {"round_id": round_id}).one()
    if not people:
        return Concentration(0, None, None, None)
    return Concentration(people, float(top5 / total), float(top1 / total), float(squares / (total * total)))


def _points(
    connection: Connection, round_id: UUID
) -> tuple[tuple[tuple[datetime, int], ...], datetime | None]:
    """Return the validated errors until the end of each stretch of the history, and when it begins."""
    found = read_stretches(connection, round_id)
    if found is None:
        return (), None
    how, merged = found
    validated, points = 0, []
    for number, counts in merged:
        validated += counts.errors + counts.apart_errors
        points.append((how.origin + how.length * (number + 1), validated))
    return tuple(points), how.origin


def _by_day(connection: Connection, round_id: UUID, now: datetime, window: timedelta) -> tuple[int, ...]:
    """Return the validated errors of each day, counted back from now by the hour, the newest last."""
    columns = round_history.c
    age = extract("epoch", bindparam("now", now, type_=DateTime(timezone=True)) - columns.bucket_start)
    days_ago = cast(func.floor(age / DAY_SECONDS), Integer).label("days_ago")
    statement = (
        select(days_ago, func.sum(columns.errors + columns.apart_errors))
        .where(
            columns.round_id == round_id,
            columns.pace == HOUR_SECONDS,
            columns.bucket_start > now - window,
            columns.bucket_start <= now,
        )
        .group_by(days_ago)
    )
    counted = {row[0]: row[1] for row in connection.execute(statement)}
    return tuple(counted.get(day, 0) for day in reversed(range(ceil(window.total_seconds() / DAY_SECONDS))))
