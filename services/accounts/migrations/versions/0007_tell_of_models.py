"""Let notices be about a submitted model.

Revision ID: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("notice", sa.Column("submission_id", sa.Uuid))
    op.add_column("notice", sa.Column("model", sa.Text))
    op.create_index(
        "ix_notice_submission_id",
        "notice",
        ["submission_id"],
        postgresql_where=sa.text("submission_id IS NOT NULL"),
    )


def downgrade() -> None:
    op.execute("DELETE FROM notice WHERE submission_id IS NOT NULL")
    op.drop_index("ix_notice_submission_id", "notice")
    op.drop_column("notice", "model")
    op.drop_column("notice", "submission_id")
