"""Facts behind one person's badges, read by the person's id."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from dynabench_tasks.configuration.published import read_published
from sqlalchemy import Connection, and_, cast, func, or_, select
from sqlalchemy import Date as DateType

from leaderboard.adapters.model_store import DONE, PUBLISHED
from leaderboard.adapters.tables import (
    person_try,
    person_week,
    round_,
    score,
    submission,
    task_configuration,
    vote,
)
from leaderboard.domain.badges import LedRound, PersonFacts, PersonTry, Publication, WonWeek
from leaderboard.domain.groups import week
from leaderboard.domain.leads_of_rounds import Contender, led_since


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
class _Task:
    task_id: UUID
    slug: str
    title: str
    configuration: Mapping[str, Any]
    is_understood: bool


def read_person(
    connection: Connection, person_id: UUID, hidden: frozenset[str], *, with_anonymous: bool
) -> PersonRecord:
    """Return the facts behind a person's badges, those of anonymous models only `with_anonymous`.

    Facts of `hidden` tasks are left out.
    """
    tasks = {task.slug: task for task in _tasks(connection) if task.slug not in hidden}
    known = {task.task_id for task in tasks.values()}
    facts = PersonFacts(
        tries=[each for each in _tries(connection, person_id) if not hidden or each.task_id in known],
        voted_on=_voted_on(connection, person_id),
        publications=_publications(connection, person_id, tasks, with_anonymous=with_anonymous),
        opened=_opened(connection),
        won=[each for each in _won(connection, person_id) if not hidden or each.task_id in known],
        led=list(_led(connection, person_id, tasks, with_anonymous=with_anonymous)),
    )
    return PersonRecord(facts, {task.task_id: TaskName(task.slug, task.title) for task in tasks.values()})


def _tasks(connection: Connection) -> list[_Task]:
    columns = task_configuration.c
    rows = connection.execute(select(task_configuration).order_by(columns.configuration_version))
    newest = {row.task_id: row for row in rows}
    return [
        _Task(row.task_id, row.slug, row.title, row.configuration, row.waits_for is None)
        for row in newest.values()
    ]


def _tries(connection: Connection, person_id: UUID) -> list[PersonTry]:
    columns = person_try.c
    statement = (
        select(person_try)
        .where(columns.person_id == person_id)
        .order_by(columns.created_at, columns.example_id)
    )
    return [
        PersonTry(
            row.task_id,
            row.round_id,
            row.example_id,
            row.created_at,
            bool(row.decided),
            bool(row.retracted),
            bool(row.kept),
            bool(row.errors),
        )
        for row in connection.execute(statement)
    ]


def _voted_on(connection: Connection, person_id: UUID) -> list[date]:
    """Return the days, in UTC, on which a person gave votes that count."""
    day = cast(func.timezone("UTC", vote.c.cast_at), DateType)
    statement = (
        select(day)
        .distinct()
        .where(vote.c.voter_id == person_id, vote.c.counted, vote.c.cast_version >= vote.c.withdrawn_version)
    )
    return sorted(connection.execute(statement).scalars())


def _publications(
    connection: Connection, person_id: UUID, tasks: Mapping[str, _Task], *, with_anonymous: bool
) -> list[Publication]:
    """Return a person's published models; versions of one model are one."""
    columns = submission.c
    name = func.coalesce(columns.model_name, columns.serving_name)
    statement = (
        select(columns.task_slug, func.min(columns.published_at).label("published_at"))
        .where(columns.submitted_by == person_id, columns.state == PUBLISHED)
        .group_by(columns.task_slug, name)
    )
    if not with_anonymous:
        statement = statement.where(columns.anonymous.is_not(True))
    return [
        Publication(tasks[row.task_slug].task_id, row.published_at)
        for row in connection.execute(statement)
        if row.task_slug in tasks
    ]


def _opened(connection: Connection) -> dict[UUID, datetime]:
    """Return when each task's first round was opened in which people write."""
    columns = round_.c
    statement = (
        select(columns.task_id, func.min(columns.opened_at).label("opened_at"))
        .where(columns.opened_at.is_not(None), columns.origin == "", columns.task_id.is_not(None))
        .group_by(columns.task_id)
    )
    return {row.task_id: row.opened_at for row in connection.execute(statement)}


def _won(connection: Connection, person_id: UUID) -> list[WonWeek]:
    """Return the weeks that a person won; a week is past once an event of a later week has arrived."""
    newest = connection.execute(select(func.max(round_.c.as_of))).scalar_one_or_none()
    if newest is None:
        return []
    mine, theirs = person_week.alias("mine"), person_week.alias("theirs")
    most = (
        select(func.max(theirs.c.errors))
        .where(theirs.c.task_id == mine.c.task_id, theirs.c.week == mine.c.week)
        .scalar_subquery()
    )
    statement = select(mine.c.task_id, mine.c.week).where(
        mine.c.person_id == person_id, mine.c.week < week(newest), mine.c.errors == most
    )
    return [WonWeek(row.task_id, row.week) for row in connection.execute(statement.order_by(mine.c.week))]


def _led(
    connection: Connection, person_id: UUID, tasks: Mapping[str, _Task], *, with_anonymous: bool
) -> Iterator[LedRound]:
    """Yield the rounds that models of a person led, each once."""
    first: dict[UUID, LedRound] = {}
    for rows in _contests(connection, person_id):
        task = tasks.get(rows[0].task_slug)
        if task is None or not task.is_understood or not rows[0].round_id:
            continue
        primary = read_published(task.configuration).metrics.primary
        led_at = led_since(_contenders(rows, primary, with_anonymous=with_anonymous), person_id)
        round_id = UUID(rows[0].round_id)
        if led_at is not None and (round_id not in first or led_at < first[round_id].led_at):
            first[round_id] = LedRound(task.task_id, round_id, led_at)
    yield from first.values()


def _contests(connection: Connection, person_id: UUID) -> Sequence[Sequence[Any]]:
    """Return the scores that models of a person stand among: by dataset of a round and version of the metrics."""
    dataset_id = score.c.dataset["dataset_id"].astext
    own = select(dataset_id).where(
        score.c.model["submitted_by"].astext == str(person_id),
        score.c.state == DONE,
        score.c.dataset["kind"].astext == "round",
    )
    by_name = submission.alias("by_name")
    found = connection.execute(
        select(
            score.c.task_slug,
            score.c.metric_version,
            score.c.model,
            score.c.metrics,
            score.c.happened_at,
            score.c.dataset["round_id"].astext.label("round_id"),
            dataset_id.label("dataset_id"),
            by_name.c.published_at,
            by_name.c.anonymous,
        )
        .join(
            by_name,
            and_(
                by_name.c.task_slug == score.c.task_slug,
                by_name.c.serving_name == score.c.model["name"].astext,
                by_name.c.state == PUBLISHED,
            ),
            isouter=True,
        )
        .where(dataset_id.in_(own), score.c.state == DONE, score.c.target_of_round.is_not(True))
        .where(or_(by_name.c.submission_id.is_not(None), score.c.model["submitted_by"].astext.is_(None)))
    )
    contests: dict[tuple[str, int], list[Any]] = defaultdict(list)
    for row in found:
        contests[row.dataset_id, row.metric_version].append(row)
    return list(contests.values())


def _contenders(rows: Iterable[Any], metric: str, *, with_anonymous: bool) -> Iterator[Contender]:
    for row in rows:
        value = next((each["value"] for each in row.metrics if each["metric"] == metric), None)
        if value is not None:
            submitter = row.model["submitted_by"]
            is_named = with_anonymous or not row.anonymous
            yield Contender(
                UUID(submitter) if submitter and is_named else None,
                value,
                max(row.happened_at, row.published_at or row.happened_at),
            )
