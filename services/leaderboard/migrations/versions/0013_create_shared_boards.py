"""Create what people keep of boards of models: their own sets of weights, and boards that were frozen.

These are no read models: nothing builds them anew, so they stand in `public` and outlive every rebuild.

Revision ID: 0013
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0013"
down_revision = "0012"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "board_view",
        sa.Column("view_id", sa.Uuid, nullable=False),
        sa.Column("task_slug", sa.Text, nullable=False),
        sa.Column("owner_id", sa.Uuid, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("choice", JSONB, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("view_id", name="pk_board_view"),
    )
    op.create_index("ix_board_view_task_slug", "board_view", ["task_slug", "view_id"])
    op.create_index("uq_board_view_owner_id", "board_view", ["owner_id", "task_slug", "name"], unique=True)
    op.create_table(
        "board_snapshot",
        sa.Column("snapshot_id", sa.Uuid, nullable=False),
        sa.Column("task_slug", sa.Text, nullable=False),
        sa.Column("made_by", sa.Uuid, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("as_of", MOMENT, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("document", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("snapshot_id", name="pk_board_snapshot"),
    )
    op.create_index("ix_board_snapshot_task_slug", "board_snapshot", ["task_slug", "snapshot_id"])
    op.create_index("ix_board_snapshot_made_by", "board_snapshot", ["made_by", "created_at"])
    op.create_index("uq_board_snapshot_sha256", "board_snapshot", ["task_slug", "sha256"], unique=True)


def downgrade() -> None:
    """Drop them."""
    op.drop_table("board_snapshot")
    op.drop_table("board_view")
