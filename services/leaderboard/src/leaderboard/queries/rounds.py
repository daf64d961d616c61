"""Rounds and their segments, as every board begins with them."""

from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Row, Select, Subquery, bindparam, func, select, true
from sqlalchemy.dialects.postgresql import distinct_on

from leaderboard.adapters.tables import round_, segment, task_configuration
from leaderboard.domain.errors import RoundNotFound
from leaderboard.domain.rates import withheld


def _round() -> Select[Any]:
    columns = task_configuration.c
    newest = (
        select(columns.slug, columns.configuration)
        .where(columns.task_id == round_.c.task_id)
        .order_by(columns.configuration_version.desc())
        .limit(1)
        .lateral("newest")
    )
    waits_for = (
        select(func.min(columns.waits_for)).where(columns.task_id == round_.c.task_id).scalar_subquery()
    )
    return (
        select(round_, newest, waits_for.label("waits_for"))
        .join_from(round_, newest, true(), isouter=True)
        .where(round_.c.round_id == bindparam("round_id"), round_.c.created_version.is_not(None))
    )


ROUND = _round()
REVISION = select(round_.c.revision).where(
    round_.c.round_id == bindparam("round_id"), round_.c.created_version.is_not(None)
)


def read_revision(connection: Connection, round_id: UUID) -> UUID:
    """Return the revision of a round. Raises RoundNotFound."""
    revision: UUID | None = connection.execute(REVISION, {"round_id": round_id}).scalar_one_or_none()
    if revision is None:
        raise RoundNotFound(round_id)
    return revision


def read_round(connection: Connection, round_id: UUID) -> Row[Any]:
    """Return a round with its task's newest slug and configuration. Raises RoundNotFound."""
    row = connection.execute(ROUND, {"round_id": round_id}).one_or_none()
    if row is None:
        raise RoundNotFound(round_id)
    return row


def newest_configurations() -> Subquery:
    """Return task, slug and title of every task as its newest configuration names it."""
    columns = task_configuration.c
    return (
        select(columns.task_id, columns.slug, columns.title)
        .ext(distinct_on(columns.task_id))
        .order_by(columns.task_id, columns.configuration_version.desc())
        .subquery("newest")
    )


def begun_segments(connection: Connection, round_id: UUID) -> dict[UUID, Row[Any]]:
    """Return the segments whose own event came."""
    statement = select(segment).where(segment.c.round_id == round_id)
    return {row.segment_id: row for row in connection.execute(statement)}


def withheld_from(round_row: Row[Any]) -> str | None:
    """Say why a round has no error rates; None if it has."""
    if round_row.waits_for is not None:
        return f"no rate: the task's {round_row.waits_for} is not known here; the leaderboard waits for an update"
    return withheld(round_row.origin or "")
