"""Note what model cards say of training data. Read models of the new shape are built beside those that stand.

Revision ID: 0014
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("submission", sa.Column("card_version", sa.Integer))
    op.add_column("submission", sa.Column("trained_on", JSONB))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("submission", "trained_on")
    op.drop_column("submission", "card_version")
