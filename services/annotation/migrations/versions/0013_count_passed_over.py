"""Count the contexts that a person passes over without a try.

Revision ID: 0013
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("participation", sa.Column("passed_over", sa.Integer, nullable=False, server_default="0"))
    op.add_column("participation", sa.Column("passed_over_since", sa.DateTime(timezone=True)))


def downgrade() -> None:
    """Drop them."""
    for column in ("passed_over_since", "passed_over"):
        op.drop_column("participation", column)
