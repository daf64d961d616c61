"""Keep the examples that owners assign to people to check.

Revision ID: 0103
"""

from alembic import op

revision = "0103"
down_revision = "0102"


def upgrade() -> None:
    """Add the column; replicas of the version before write rows without it."""
    op.execute("ALTER TABLE work_order ADD COLUMN example_ids uuid[] NOT NULL DEFAULT '{}'")


def downgrade() -> None:
    """Remove the column."""
    op.execute("ALTER TABLE work_order DROP COLUMN example_ids")
