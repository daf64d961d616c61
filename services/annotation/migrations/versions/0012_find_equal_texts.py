"""Find examples whose texts are equal, and keep which are duplicates of which.

Digests of what is stored already are worked out when somebody writes on its context. The index can't be built
concurrently within the one transaction of all migrations; it holds the tries that fooled alone.

Revision ID: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

BY_DIGEST = """
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_example_written_digest ON example (context_id, written_digest) WHERE verdict = 'fooled'
"""


def upgrade() -> None:
    """Add the columns and the index."""
    op.add_column("example", sa.Column("written_digest", sa.LargeBinary))
    op.add_column("example", sa.Column("duplicate_of", sa.Uuid))
    op.add_column("example", sa.Column("overruled_at", sa.DateTime(timezone=True)))
    op.execute(BY_DIGEST)


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_example_written_digest", "example")
    for column in ("overruled_at", "duplicate_of", "written_digest"):
        op.drop_column("example", column)
