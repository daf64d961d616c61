"""Keep imported votes, what filters and groups go by, decisions of owners, appeals, what voters add, and turns.

Two steps that squawk warns of are safe here. No code, of this version or the one before, relies on a vote having a
lease. And an index can't be built concurrently within the one transaction of all migrations: over a million examples
each takes about a second, in which votes wait.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0004"
down_revision = "0003"

TIME = sa.DateTime(timezone=True)
COLUMNS = {
    "example": {
        "segment_id": sa.Uuid,
        "condition": sa.Text,
        "cohort": sa.Text,
        "tags": JSONB,
        "targets": JSONB,
        "source_id": sa.Text,
        "imported_votes": JSONB,
        "decided_wrong": JSONB,
    },
    "example_validation": {
        "adjudicated_by": sa.Uuid,
        "adjudicated_kind": sa.Text,
        "adjudicated_option": sa.Text,
        "adjudication_reason": sa.Text,
        "adjudicated_at": TIME,
        "appeal_reason": sa.Text,
        "appealed_at": TIME,
        "appeal_answer": sa.Text,
        "appeal_answered_at": TIME,
    },
    "vote": {"corrected": sa.Text, "explanation": sa.Text, "set_aside_at": TIME},
}
UNDECIDED = """
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_example_validation_undecided ON example_validation (round_id, resolution, resolved_at, example_id)
WHERE retracted IS false AND adjudicated_at IS NULL AND resolution IN ('disputed', 'flagged')
"""
APPEALED = """
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_example_validation_appealed ON example_validation (round_id, appealed_at, example_id)
WHERE retracted IS false AND appealed_at IS NOT NULL AND appeal_answered_at IS NULL
"""
WAITING = """
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_example_validation_waiting ON example_validation (round_id, created_at, example_id)
WHERE wanted AND retracted IS false AND resolution IS NULL
"""
LEASED = """
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_lease_expires_at ON lease (expires_at)
"""
WITHOUT_LEASE = """
-- squawk-ignore ban-drop-not-null
ALTER TABLE vote ALTER COLUMN lease_id DROP NOT NULL
"""


def upgrade() -> None:
    """Add the columns, the indexes that the queues are read by, and the count of leases per round."""
    for table, columns in COLUMNS.items():
        for name, kind in columns.items():
            op.add_column(table, sa.Column(name, kind))
    op.execute(WITHOUT_LEASE)
    op.execute(UNDECIDED)
    op.execute(APPEALED)
    op.execute(WAITING)
    op.execute(LEASED)
    op.create_table(
        "queue_turn",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("leases_given", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("round_id", name="pk_queue_turn"),
    )


def downgrade() -> None:
    """Drop them; imported votes stand in for their own leases."""
    op.drop_table("queue_turn")
    op.drop_index("ix_lease_expires_at", "lease")
    op.drop_index("ix_example_validation_waiting", "example_validation")
    op.drop_index("ix_example_validation_appealed", "example_validation")
    op.drop_index("ix_example_validation_undecided", "example_validation")
    op.execute("UPDATE vote SET lease_id = vote_id WHERE lease_id IS NULL")
    op.alter_column("vote", "lease_id", nullable=False)
    for table, columns in COLUMNS.items():
        for name in columns:
            op.drop_column(table, name)
