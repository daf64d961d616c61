"""Keep what models state that were measured elsewhere.

Revision ID: 0101
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0101"
down_revision = "0100"


def upgrade() -> None:
    """Add the column."""
    op.add_column("evaluation", sa.Column("external", postgresql.JSONB))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("evaluation", "external")
