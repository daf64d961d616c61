"""The tables of saved views and frozen boards: they are no read models, so no rebuild touches them."""

from sqlalchemy import Column, Index, Table, Text, Uuid
from sqlalchemy.dialects.postgresql import JSONB

from leaderboard.adapters.tables import MOMENT, metadata

board_view = Table(
    "board_view",
    metadata,
    Column("view_id", Uuid, primary_key=True),
    Column("task_slug", Text, nullable=False),
    Column("owner_id", Uuid, nullable=False),
    Column("name", Text, nullable=False),
    Column("choice", JSONB, nullable=False),
    Column("created_at", MOMENT, nullable=False),
)
Index("ix_board_view_task_slug", board_view.c.task_slug, board_view.c.view_id)
Index(
    "uq_board_view_owner_id",
    board_view.c.owner_id,
    board_view.c.task_slug,
    board_view.c.name,
    unique=True,
)

board_snapshot = Table(
    "board_snapshot",
    metadata,
    Column("snapshot_id", Uuid, primary_key=True),
    Column("task_slug", Text, nullable=False),
    Column("made_by", Uuid, nullable=False),
    Column("created_at", MOMENT, nullable=False),
    Column("as_of", MOMENT, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("document", Text, nullable=False),
)
"""Boards that were frozen; `document` is the canonical JSON that `sha256` is of."""
Index("ix_board_snapshot_task_slug", board_snapshot.c.task_slug, board_snapshot.c.snapshot_id)
Index("ix_board_snapshot_made_by", board_snapshot.c.made_by, board_snapshot.c.created_at)
Index("uq_board_snapshot_sha256", board_snapshot.c.task_slug, board_snapshot.c.sha256, unique=True)

OWN = (board_view.c.owner_id, board_snapshot.c.made_by)
"""Columns that name a person in the tables whose rows that person may read."""
