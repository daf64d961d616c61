"""Keep what befell each evaluation, and how long its shards took.

Revision ID: 0030
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0030"
down_revision = "0020"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the log, and the columns for the times of shards."""
    op.create_table(
        "evaluation_line",
        sa.Column("line_id", sa.Uuid, nullable=False),
        sa.Column("evaluation_id", sa.Uuid, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("facts", JSONB, nullable=False),
        sa.PrimaryKeyConstraint("line_id", name="pk_evaluation_line"),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["evaluation.evaluation_id"],
            name="fk_evaluation_line_evaluation_id_evaluation",
        ),
    )
    op.create_index("ix_evaluation_line_evaluation_id", "evaluation_line", ["evaluation_id", "line_id"])
    for name in ("begun_at", "answered_at"):
        op.add_column("shard", sa.Column(name, MOMENT))


def downgrade() -> None:
    """Drop them."""
    for name in ("begun_at", "answered_at"):
        op.drop_column("shard", name)
    op.drop_table("evaluation_line")
