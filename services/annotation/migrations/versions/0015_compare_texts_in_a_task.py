"""Find nearly equal texts in a whole task, and keep by which rule each segment compares them.

Segments that are there go on by the earlier rule. The index can't be built concurrently within the one transaction of
all migrations; it holds the tries that fooled alone.

Revision ID: 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision: str | None = "0014"

BY_DIGEST = """
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_example_text_digest ON example (task_id, text_digest) WHERE verdict = 'fooled'
"""


def upgrade() -> None:
    """Add the columns and the index."""
    op.add_column("segment", sa.Column("text_rule", sa.Integer, nullable=False, server_default="1"))
    op.add_column("example", sa.Column("text_digest", sa.LargeBinary))
    op.execute(BY_DIGEST)


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_example_text_digest", "example")
    op.drop_column("example", "text_digest")
    op.drop_column("segment", "text_rule")
