"""Let notices be about a submitted model.

The index can't be built concurrently within the one transaction of all migrations; no notice is in it yet.

Revision ID: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

BY_SUBMISSION = """
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_notice_submission_id ON notice (submission_id) WHERE submission_id IS NOT NULL
"""


def upgrade() -> None:
    op.add_column("notice", sa.Column("submission_id", sa.Uuid))
    op.add_column("notice", sa.Column("model", sa.Text))
    op.execute(BY_SUBMISSION)


def downgrade() -> None:
    op.execute("DELETE FROM notice WHERE submission_id IS NOT NULL")
    op.drop_index("ix_notice_submission_id", "notice")
    op.drop_column("notice", "model")
    op.drop_column("notice", "submission_id")
