"""Keep which round of which task a round is, so that people can be told which rounds hold a model.

Revision ID: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision: str | None = "0002"


def upgrade() -> None:
    op.add_column("round", sa.Column("task_id", sa.Uuid))
    op.add_column("round", sa.Column("number", sa.Integer))


def downgrade() -> None:
    op.drop_column("round", "number")
    op.drop_column("round", "task_id")
