"""Note dead letters.

Revision ID: 0004
"""

from alembic import op
from dynabench_common import plumbing

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    plumbing.create_dead_letter(op)


def downgrade() -> None:
    op.drop_table("dead_letter")
