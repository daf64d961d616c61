"""Note dead letters.

Revision ID: 0007
"""

from alembic import op
from dynabench_common import plumbing

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    plumbing.create_dead_letter(op)


def downgrade() -> None:
    op.drop_table("dead_letter")
