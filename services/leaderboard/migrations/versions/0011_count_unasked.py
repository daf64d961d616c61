"""Count tries on which a target was not asked. Read models of the new shape are built beside those that stand.

Revision ID: 0011
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

COUNTED = ("tally", "group_tally", "fooling_pattern")


def upgrade() -> None:
    """Add the columns."""
    op.add_column("answer", sa.Column("not_asked", sa.Boolean, nullable=False, server_default=sa.false()))
    for table in COUNTED:
        op.add_column(table, sa.Column("not_asked", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Drop them."""
    for table in COUNTED:
        op.drop_column(table, "not_asked")
    op.drop_column("answer", "not_asked")
