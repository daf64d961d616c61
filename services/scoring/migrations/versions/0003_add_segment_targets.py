"""Keep the targets of segments, with their digests; segments from before this have none until a rebuild.

Revision ID: 0003
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("segment", sa.Column("targets", JSONB))


def downgrade() -> None:
    op.drop_column("segment", "targets")
