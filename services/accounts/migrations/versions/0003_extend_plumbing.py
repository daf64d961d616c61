"""Let outbox rows be parked, keep dead letters themselves, and let rows of the plumbing be pruned.

Revision ID: 0003
"""

from alembic import op
from dynabench_common import plumbing

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    plumbing.allow_parking(op)
    plumbing.keep_dead_letters(op)
    plumbing.date_inbox(op)


def downgrade() -> None:
    plumbing.undate_inbox(op)
    plumbing.forget_dead_letters(op)
    plumbing.forbid_parking(op)
