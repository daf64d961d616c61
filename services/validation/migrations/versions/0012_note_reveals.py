"""Note when voters saw what the author says, and which duplicates an owner lets count.

Whoever answered before this was shown the claim with the reply.

Revision ID: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

TABLES = ("vote", "gold_answer")


def upgrade() -> None:
    """Add the columns; of what was answered until now, everything was revealed at once."""
    for table in TABLES:
        op.add_column(table, sa.Column("revealed_at", sa.DateTime(timezone=True)))
        op.execute(f"UPDATE {table} SET revealed_at = cast_at WHERE lease_id IS NOT NULL")
    op.add_column("example", sa.Column("overruled_version", sa.Integer))


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("example", "overruled_version")
    for table in TABLES:
        op.drop_column(table, "revealed_at")
