"""Keep of a deleted submission that it was there: when, by whom and why it was deleted, and whether its bytes are gone.

The index can't be built concurrently within the one transaction of all migrations; no submission is in it yet.

Revision ID: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision: str | None = "0004"

MOMENT = sa.DateTime(timezone=True)
COLUMNS = ("removed_at", "was_published", "deletion_reason", "deleted_as", "deleted_at")
TO_BE_REMOVED = """
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_submission_to_be_removed ON submission (deleted_at) WHERE removed_at IS NULL AND deleted_at IS NOT NULL
"""


def upgrade() -> None:
    op.add_column("submission", sa.Column("deleted_at", MOMENT))
    op.add_column("submission", sa.Column("deleted_as", sa.Text))
    op.add_column("submission", sa.Column("deletion_reason", sa.Text))
    op.add_column("submission", sa.Column("was_published", sa.Boolean))
    op.add_column("submission", sa.Column("removed_at", MOMENT))
    op.execute(TO_BE_REMOVED)


def downgrade() -> None:
    op.drop_index("ix_submission_to_be_removed", "submission")
    for name in COLUMNS:
        op.drop_column("submission", name)
