"""Keep which tries say what an earlier one said. Read models of the new shape are built beside those that stand.

Revision ID: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("example", sa.Column("duplicate_version", sa.Integer))
    op.add_column("example", sa.Column("duplicate_of", sa.Uuid))
    op.add_column("example", sa.Column("overruled_version", sa.Integer))


def downgrade() -> None:
    """Drop them."""
    for column in ("overruled_version", "duplicate_of", "duplicate_version"):
        op.drop_column("example", column)
