"""Create the plumbing and the tables of submissions.

Revision ID: 0001
"""

import sqlalchemy as sa
from alembic import op
from dynabench_common import plumbing
from sqlalchemy.dialects.postgresql import JSONB

revision = "0001"
down_revision: str | None = None

MOMENT = sa.DateTime(timezone=True)
TABLES = (
    "webhook_call",
    "submission_entry",
    "submission_log",
    "submission_step",
    "submission",
    "model",
    "round",
    "task",
)
PLUMBING = ("held_partition", "dead_letter", "outbox", "inbox")


def upgrade() -> None:
    plumbing.create_inbox(op)
    plumbing.create_outbox(op)
    plumbing.create_dead_letter(op)
    plumbing.allow_parking(op)
    plumbing.keep_dead_letters(op)
    plumbing.date_inbox(op)
    create_names()
    create_submissions()
    create_steps()
    create_webhook_calls()


def create_names() -> None:
    op.create_table(
        "task",
        sa.Column("task_id", sa.Uuid, nullable=False),
        sa.Column("slug", sa.Text, nullable=False),
        sa.Column("fact_version", sa.Integer, nullable=False),
        sa.Column("configuration", JSONB, nullable=False),
        sa.PrimaryKeyConstraint("task_id", name="pk_task"),
        sa.UniqueConstraint("slug", name="uq_task_slug"),
    )
    op.create_table(
        "round",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("targets_version", sa.Integer),
        sa.Column("targets", JSONB),
        sa.Column("state_version", sa.Integer),
        sa.Column("state", sa.Text),
        sa.PrimaryKeyConstraint("round_id", name="pk_round"),
    )
    op.create_table(
        "model",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("task_slug", sa.Text, nullable=False),
        sa.Column("submitted_by", sa.Uuid, nullable=False),
        sa.Column("newest_version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_model"),
    )


def create_submissions() -> None:
    op.create_table(
        "submission",
        sa.Column("submission_id", sa.Uuid, nullable=False),
        sa.Column("aggregate_version", sa.Integer, nullable=False),
        sa.Column("model_name", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("task_slug", sa.Text, nullable=False),
        sa.Column("submitted_by", sa.Uuid, nullable=False),
        sa.Column("file_name", sa.Text, nullable=False),
        sa.Column("archive_bytes", sa.BigInteger, nullable=False),
        sa.Column("archive_digest", sa.Text, nullable=False),
        sa.Column("part_bytes", sa.BigInteger, nullable=False),
        sa.Column("archive_key", sa.Text, nullable=False),
        sa.Column("upload_id", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("step", sa.Text, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("received_at", MOMENT),
        sa.Column("ended_at", MOMENT),
        sa.Column("counted", sa.Boolean, nullable=False),
        sa.Column("pool", sa.Text),
        sa.Column("serving_name", sa.Text),
        sa.Column("scan", JSONB),
        sa.Column("served", JSONB),
        sa.Column("card", JSONB),
        sa.Column("anonymous", sa.Boolean, nullable=False),
        sa.Column("approved_by", sa.Uuid),
        sa.Column("signed_by", sa.Text),
        sa.Column("webhook_url", sa.Text),
        sa.Column("webhook_secret", sa.Text),
        sa.Column("requested_at", MOMENT),
        sa.Column("claimed_at", MOMENT),
        sa.Column("lease_id", sa.Uuid),
        sa.Column("leased_until", MOMENT),
        sa.Column("attempts", sa.Integer, server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("submission_id", name="pk_submission"),
        sa.UniqueConstraint("model_name", "version", name="uq_submission_model_name_version"),
    )
    op.create_index("ix_submission_submitted_by", "submission", ["submitted_by", "submission_id"])
    op.create_index("ix_submission_task_slug", "submission", ["task_slug", "submission_id"])
    op.create_index("ix_submission_serving_name", "submission", ["serving_name"], unique=True)
    op.create_index(
        "ix_submission_checking",
        "submission",
        ["requested_at"],
        postgresql_where=sa.text("state = 'checking'"),
    )
    op.create_index(
        "ix_submission_draft", "submission", ["created_at"], postgresql_where=sa.text("state = 'draft'")
    )


def create_steps() -> None:
    op.create_table(
        "submission_step",
        sa.Column("submission_id", sa.Uuid, nullable=False),
        sa.Column("step", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("started_at", MOMENT),
        sa.Column("ended_at", MOMENT),
        sa.Column("beat_at", MOMENT),
        sa.Column("fault", sa.Text),
        sa.Column("reason", sa.Text),
        sa.Column("remedy", sa.Text),
        sa.Column("shown", JSONB),
        sa.PrimaryKeyConstraint("submission_id", "step", name="pk_submission_step"),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submission.submission_id"],
            name="fk_submission_step_submission_id_submission",
        ),
    )
    op.create_table(
        "submission_log",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("submission_id", sa.Uuid, nullable=False),
        sa.Column("step", sa.Text, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_submission_log"),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submission.submission_id"], name="fk_submission_log_submission_id_submission"
        ),
    )
    op.create_index("ix_submission_log_submission_id", "submission_log", ["submission_id", "id"])
    op.create_table(
        "submission_entry",
        sa.Column("submission_id", sa.Uuid, nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("submission_id", "path", name="pk_submission_entry"),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submission.submission_id"],
            name="fk_submission_entry_submission_id_submission",
        ),
    )


def create_webhook_calls() -> None:
    op.create_table(
        "webhook_call",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("submission_id", sa.Uuid, nullable=False),
        sa.Column("body", JSONB, nullable=False),
        sa.Column("attempts", sa.Integer, server_default="0", nullable=False),
        sa.Column("due_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT),
        sa.Column("outcome", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_webhook_call"),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submission.submission_id"], name="fk_webhook_call_submission_id_submission"
        ),
    )
    op.create_index(
        "ix_webhook_call_due_at", "webhook_call", ["due_at"], postgresql_where=sa.text("ended_at IS NULL")
    )


def downgrade() -> None:
    for name in (*TABLES, *PLUMBING):
        op.drop_table(name)
