"""Saved weights and frozen boards of people, in the database."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Self
from uuid import UUID

from dynabench_common.work.locks import wait_for_lock
from sqlalchemy import Connection, Engine, Row, select
from sqlalchemy.dialects.postgresql import insert

from leaderboard.adapters.shared_tables import board_snapshot, board_view
from leaderboard.domain.board_choice import Choice, Mode
from leaderboard.domain.shared_boards import SavedView, Snapshot


class SharedBoards:
    """Saved weights and frozen boards, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @classmethod
    @contextmanager
    def session(cls, engine: Engine) -> Iterator[Self]:
        """Open a transaction that commits at the end of the block."""
        with engine.begin() as connection:
            yield cls(connection)

    def lock(self, person_id: UUID) -> None:
        """Let no other transaction of this person in until this one ends."""
        wait_for_lock(self._connection, "shared-boards", person_id)

    def views_of(self, person_id: UUID, task_slug: str) -> Sequence[str]:
        """Return the names of a person's sets in a task."""
        mine = (board_view.c.owner_id == person_id) & (board_view.c.task_slug == task_slug)
        return self._connection.execute(select(board_view.c.name).where(mine)).scalars().all()

    def add_view(self, view: SavedView) -> None:
        """Keep a set of weights."""
        choice = {
            "weights": dict(view.choice.weights),
            "datasets": dict(view.choice.datasets),
            "gamma": view.choice.gamma,
            "mode": view.choice.mode.value,
        }
        self._connection.execute(
            board_view.insert().values(
                view_id=view.view_id,
                task_slug=view.task_slug,
                owner_id=view.owner_id,
                name=view.name,
                choice=choice,
                created_at=view.created_at,
            )
        )

    def view(self, view_id: UUID) -> SavedView | None:
        """Return a set of weights."""
        row = self._connection.execute(
            select(board_view).where(board_view.c.view_id == view_id)
        ).one_or_none()
        return None if row is None else view_of(row)

    def remove_view(self, view_id: UUID) -> None:
        """Forget a set of weights."""
        self._connection.execute(board_view.delete().where(board_view.c.view_id == view_id))

    def made_since(self, person_id: UUID, since: datetime) -> Sequence[datetime]:
        """Return when a person froze boards, the oldest first."""
        made_at = board_snapshot.c.created_at
        statement = select(made_at).where(board_snapshot.c.made_by == person_id, made_at > since)
        return self._connection.execute(statement.order_by(made_at)).scalars().all()

    def same(self, task_slug: str, sha256: str) -> Snapshot | None:
        """Return the frozen board of the same content."""
        statement = select(board_snapshot).where(
            board_snapshot.c.task_slug == task_slug, board_snapshot.c.sha256 == sha256
        )
        row = self._connection.execute(statement).one_or_none()
        return None if row is None else Snapshot(**row._mapping)

    def add_snapshot(self, snapshot: Snapshot) -> None:
        """Store a frozen board; a second, concurrent snapshot of the same content is dropped."""
        self._connection.execute(insert(board_snapshot).values(**vars(snapshot)).on_conflict_do_nothing())


def view_of(row: Row[Any]) -> SavedView:
    """Return the set of weights of a row."""
    chosen = row.choice
    choice = Choice(chosen["weights"], chosen["datasets"], chosen["gamma"], Mode(chosen["mode"]))
    return SavedView(row.view_id, row.task_slug, row.owner_id, row.name, choice, row.created_at)
