"""Saved weights and frozen boards of people."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Column, Engine, Row, Select, literal, select

from leaderboard.adapters.shared_board_store import view_of
from leaderboard.adapters.shared_tables import board_snapshot, board_view
from leaderboard.domain.errors import SnapshotNotFound, ViewNotFound
from leaderboard.domain.shared_boards import SavedView, Snapshot

WITHOUT_DOCUMENT = [
    literal("").label("document") if column.name == "document" else column for column in board_snapshot.c
]


def saved_view(engine: Engine, view_id: UUID) -> SavedView:
    """Return saved weights. Raises ViewNotFound."""
    with engine.connect() as connection:
        row = connection.execute(select(board_view).where(board_view.c.view_id == view_id)).one_or_none()
    if row is None:
        raise ViewNotFound
    return view_of(row)


def saved_views(engine: Engine, task_slug: str, after: UUID | None, limit: int) -> Sequence[SavedView]:
    """Return a task's saved weights, the newest first, from the one after a given one on."""
    statement = select(board_view).where(board_view.c.task_slug == task_slug)
    return [view_of(row) for row in _newest(engine, statement, board_view.c.view_id, after, limit)]


def snapshot(engine: Engine, snapshot_id: UUID) -> Snapshot:
    """Return a frozen board. Raises SnapshotNotFound."""
    statement = select(board_snapshot).where(board_snapshot.c.snapshot_id == snapshot_id)
    with engine.connect() as connection:
        row = connection.execute(statement).one_or_none()
    if row is None:
        raise SnapshotNotFound
    return Snapshot(**row._mapping)


def snapshots(engine: Engine, task_slug: str, after: UUID | None, limit: int) -> Sequence[Snapshot]:
    """Return a task's frozen boards without their documents, the newest first."""
    statement = select(*WITHOUT_DOCUMENT).where(board_snapshot.c.task_slug == task_slug)
    found = _newest(engine, statement, board_snapshot.c.snapshot_id, after, limit)
    return [Snapshot(**row._mapping) for row in found]


def _newest(
    engine: Engine, statement: Select[Any], key: Column[UUID], after: UUID | None, limit: int
) -> Sequence[Row[Any]]:
    if after is not None:
        statement = statement.where(key < after)
    with engine.connect() as connection:
        return connection.execute(statement.order_by(key.desc()).limit(limit)).all()
