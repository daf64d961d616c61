"""Note which configurations name what this version of the service does not know yet.

Revision ID: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("task_configuration", sa.Column("waits_for", sa.Text))


def downgrade() -> None:
    op.drop_column("task_configuration", "waits_for")
