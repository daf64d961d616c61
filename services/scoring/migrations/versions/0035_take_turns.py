"""Keep when each submitter last had a turn of the evaluators, and find the shards in hand quickly.

Revision ID: 0035
"""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0031"


def upgrade() -> None:
    """Create the table and the index."""
    op.create_table(
        "evaluation_turn",
        sa.Column("submitter", sa.Text, nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("submitter", name="pk_evaluation_turn"),
    )
    op.execute(
        "-- squawk-ignore require-concurrent-index-creation\n"
        "CREATE INDEX ix_shard_held ON shard (evaluation_id) WHERE state = 'open' AND lease_id IS NOT NULL"
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_shard_held", "shard")
    op.drop_table("evaluation_turn")
