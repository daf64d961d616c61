"""Keep dead letters themselves, let old inbox rows be pruned, and give the board an outbox for the audit log.

Revision ID: 0006
"""

from alembic import op
from dynabench_common import plumbing

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    plumbing.create_outbox(op)
    plumbing.allow_parking(op)
    plumbing.keep_dead_letters(op)
    plumbing.date_inbox(op)


def downgrade() -> None:
    plumbing.undate_inbox(op)
    plumbing.forget_dead_letters(op)
    op.drop_table("outbox")
