"""The history of a round, merged into stretches of one length, with its authors' sums."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Connection,
    DateTime,
    Integer,
    Row,
    bindparam,
    cast,
    extract,
    func,
    select,
)

from leaderboard.adapters.tables import author_history, round_history
from leaderboard.domain.history import BUCKET, AuthorHistoryCounts, HistoryCounts, Stretches, stretches
from leaderboard.domain.time_series import AuthorRows, Point, Trend, time_series, trend
from leaderboard.queries.packed import counts, numbered, packed, unpacked
from leaderboard.queries.rounds import withheld_from

Merged = list[tuple[int, HistoryCounts]]
"""The stretches that hold anything, by number."""


@dataclass(frozen=True, slots=True)
class RoundTimeSeries:
    """A round's figures over time, of one revision; `trend` is None if there is none to speak of."""

    revision: UUID
    as_of: datetime
    points: tuple[Point, ...]
    trend: Trend | None


def read_time_series(connection: Connection, round_row: Row[Any]) -> RoundTimeSeries:
    """Return a round's time series as of the connection's moment."""
    found = read_stretches(connection, round_row.round_id)
    if found is None:
        return RoundTimeSeries(round_row.revision, round_row.as_of, (), None)
    how, merged = found
    reason, rows = withheld_from(round_row), _author_rows(connection, round_row.round_id, how)
    points = time_series(merged, rows, how.origin, how.length, reason)
    return RoundTimeSeries(round_row.revision, round_row.as_of, tuple(points), trend(merged, rows, reason))


def read_stretches(connection: Connection, round_id: UUID) -> tuple[Stretches, Merged] | None:
    """Return how the round's history is merged, and what its stretches hold; None without any history."""
    columns = round_history.c
    ends = select(func.min(columns.bucket_start), func.max(columns.bucket_start)).where(
        columns.round_id == round_id, columns.pace == int(BUCKET.total_seconds())
    )
    first, last = connection.execute(ends).one()
    if first is None:
        return None
    how = stretches(first, last)
    number = _number(columns.bucket_start, how).label("number")
    statement = (
        select(number, *(func.sum(columns[name]) for name in HistoryCounts._fields))
        .where(columns.round_id == round_id, columns.pace == int(how.pace.total_seconds()))
        .group_by(number)
        .order_by(number)
    )
    return how, [(row[0], HistoryCounts(*row[1:])) for row in connection.execute(statement)]


def _author_rows(connection: Connection, round_id: UUID, how: Stretches) -> AuthorRows:
    columns = author_history.c
    sums = [columns[name] for name in AuthorHistoryCounts._fields]
    statement = select(packed(_number(columns.bucket_start, how), columns.author_id, *sums)).where(
        columns.round_id == round_id, columns.pace == int(how.pace.total_seconds())
    )
    value = connection.execute(statement).scalar_one()
    rows = unpacked(value, "stretch", "author_id", *AuthorHistoryCounts._fields, ids=("author_id",))
    authors, nobody = numbered(rows["author_id"])
    fields = (counts(rows[name]) for name in AuthorHistoryCounts._fields)
    return AuthorRows._make([counts(rows["stretch"]), authors, *fields, nobody])


def _number(moment: ColumnElement[Any], how: Stretches) -> ColumnElement[int]:
    """Return the number of the stretch that holds a moment."""
    origin = bindparam("origin", how.origin, type_=DateTime(timezone=True))
    seconds = extract("epoch", moment - origin)
    return cast(func.floor(seconds / bindparam("seconds", int(how.length.total_seconds()))), Integer)
