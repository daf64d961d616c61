"""Inputs of standings, read from the stored sums."""

from collections import defaultdict
from datetime import datetime, timedelta
from math import ceil
from typing import Any
from uuid import UUID

from dynabench_tasks.configuration.goal import wanted_errors
from sqlalchemy import (
    Connection,
    DateTime,
    Engine,
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
from leaderboard.adapters.tables import census, group_tally, round_, round_history, tally
from leaderboard.domain.groups import Dimension
from leaderboard.domain.standing import Concentration
from leaderboard.domain.tally import NOBODY, RULE, Tally
from leaderboard.service_layer.standings import Place, RoundHead, RoundProgress, RoundRecord
from leaderboard.views.rounds import newest_configurations, read_round
from leaderboard.views.time_series import read_stretches

HOUR_SECONDS, DAY_SECONDS = 3_600, 86_400


class SqlStandingStore:
    """Standings read from the stored sums, each from one moment."""

    def __init__(self, engine: Engine, version: int = VERSION) -> None:
        self._read_model = StandingReadModel(engine, version)

    def task_slug(self, round_id: UUID) -> str | None:
        """Return the slug of the round's task, empty while unknown; None for an unknown round."""
        with self._read_model.connect() as connection:
            round_row = read_round(connection, round_id)
            return None if round_row is None else round_row.slug or ""

    def progress(self, round_id: UUID) -> RoundProgress | None:
        """Return how far the round has come; None for an unknown round."""
        with self._read_model.connect() as connection:
            round_row = read_round(connection, round_id)
            if round_row is None:
                return None
            return RoundProgress(
                round_row.origin or "", wanted_errors(round_row.configuration), _total(connection, round_id)
            )

    def record(self, round_id: UUID, now: datetime, window: timedelta) -> RoundRecord | None:
        """Return what the round's standing follows from; None for an unknown round."""
        with self._read_model.connect() as connection:
            round_row = read_round(connection, round_id)
            if round_row is None:
                return None
            points, first_at = _points(connection, round_id)
            return RoundRecord(
                head=_head(round_row),
                goal=wanted_errors(round_row.configuration),
                opened_at=round_row.opened_at,
                first_at=first_at,
                as_of=round_row.as_of,
                total=_total(connection, round_id),
                census=_census(connection, round_id),
                cohorts=_cohorts(connection, round_id),
                authors=_concentration(connection, round_id),
                points=points,
                by_day=_by_day(connection, round_id, now, window),
            )

    def rounds(self, slugs: frozenset[str] | None, after: Place | None, most: int) -> list[RoundHead]:
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
    sums = (func.coalesce(func.sum(tally.c[name]), 0).label(name) for name in Tally._fields)
    statement = select(*sums).where(tally.c.round_id == round_id, tally.c.subject == RULE)
    return Tally.from_row(connection.execute(statement).one())


def _census(connection: Connection, round_id: UUID) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = defaultdict(dict)
    statement = select(census).where(census.c.round_id == round_id).order_by(census.c.kind, census.c.name)
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
    tries = func.sum(tally.c.tries)
    authors = (
        select(tries.label("tries"), func.row_number().over(order_by=tries.desc()).label("place"))
        .where(tally.c.round_id == round_id, tally.c.subject == RULE, tally.c.author_id != NOBODY)
        .group_by(tally.c.author_id)
        .subquery()
    )
    each, place = authors.c.tries, authors.c.place
    statement = select(
        func.count(),
        func.sum(each),
        func.sum(each).filter(place <= 5),
        func.max(each),
        func.sum(each * each),
    )
    people, total, top5, top1, squares = connection.execute(statement).one()
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
