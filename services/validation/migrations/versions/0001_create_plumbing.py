"""Create outbox, inbox, idempotency and lease tables."""

from alembic import op
from dynabench_common import plumbing

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables of the plumbing."""
    plumbing.create_outbox(op)
    plumbing.create_inbox(op)
    plumbing.create_idempotency(op)
    plumbing.create_lease(op)


def downgrade() -> None:
    """Drop them."""
    for table in ("lease", "idempotency", "inbox", "outbox"):
        op.drop_table(table)
