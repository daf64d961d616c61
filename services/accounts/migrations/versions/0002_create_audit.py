"""Keep the audit log.

Revision ID: 0002
"""

import sqlalchemy as sa
from alembic import op
from dynabench_common import plumbing

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    plumbing.create_inbox(op)
    plumbing.create_dead_letter(op)
    op.create_table(
        "audit_entry",
        sa.Column("entry_id", sa.Uuid, nullable=False),
        sa.Column("actor_id", sa.Uuid),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("object_kind", sa.Text, nullable=False),
        sa.Column("object_id", sa.Uuid, nullable=False),
        sa.Column("task_slug", sa.Text, nullable=False),
        sa.Column("round_id", sa.Uuid),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("details", sa.JSON, nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("entry_id", name="pk_audit_entry"),
    )
    op.create_index("ix_audit_entry_taken_at", "audit_entry", ["taken_at", "entry_id"])
    for key in ("task_slug", "round_id", "object_id"):
        op.create_index(f"ix_audit_entry_{key}", "audit_entry", [key, "taken_at", "entry_id"])


def downgrade() -> None:
    for table in ("audit_entry", "dead_letter", "inbox"):
        op.drop_table(table)
