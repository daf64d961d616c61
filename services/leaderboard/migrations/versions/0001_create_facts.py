"""Create the inbox and the facts taken from other services' events.

Revision ID: 0001
"""

import sqlalchemy as sa
from alembic import op
from dynabench_common import plumbing
from sqlalchemy.dialects.postgresql import JSONB

revision = "0001"
down_revision: str | None = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    plumbing.create_inbox(op)
    create_rounds()
    create_examples()


def create_rounds() -> None:
    op.create_table(
        "task_configuration",
        sa.Column("task_id", sa.Uuid, nullable=False),
        sa.Column("configuration_version", sa.Integer, nullable=False),
        sa.Column("aggregate_version", sa.Integer, nullable=False),
        sa.Column("slug", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("configuration", JSONB, nullable=False),
        sa.PrimaryKeyConstraint("task_id", "configuration_version", name="pk_task_configuration"),
    )
    op.create_table(
        "round",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("created_version", sa.Integer),
        sa.Column("task_id", sa.Uuid),
        sa.Column("number", sa.Integer),
        sa.Column("title", sa.Text),
        sa.Column("targets", JSONB),
        sa.Column("state_version", sa.Integer),
        sa.Column("state", sa.Text),
        sa.Column("revision", sa.Uuid, nullable=False),
        sa.Column("as_of", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("round_id", name="pk_round"),
    )
    op.create_index("ix_round_task_id", "round", ["task_id"])
    op.create_table(
        "segment",
        sa.Column("segment_id", sa.Uuid, nullable=False),
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("aggregate_version", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("configuration_version", sa.Integer, nullable=False),
        sa.Column("targets", JSONB, nullable=False),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("segment_id", name="pk_segment"),
    )
    op.create_index("ix_segment_round_id", "segment", ["round_id"])


def create_examples() -> None:
    op.create_table(
        "example",
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("try_version", sa.Integer),
        sa.Column("round_id", sa.Uuid),
        sa.Column("task_id", sa.Uuid),
        sa.Column("configuration_version", sa.Integer),
        sa.Column("segment_id", sa.Uuid),
        sa.Column("author_id", sa.Uuid),
        sa.Column("verdict", sa.Text),
        sa.Column("created_at", MOMENT),
        sa.Column("condition", sa.Text),
        sa.Column("decision_version", sa.Integer),
        sa.Column("decided_verdict", sa.Text),
        sa.Column("wrong_targets", JSONB),
        sa.Column("decided_at", MOMENT),
        sa.Column("retraction_version", sa.Integer),
        sa.Column("retracted_at", MOMENT),
        sa.Column("resolution_version", sa.Integer),
        sa.Column("outcome", sa.Text),
        sa.Column("golds", JSONB),
        sa.Column("resolved_at", MOMENT),
        sa.Column("votes", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("example_id", name="pk_example"),
    )
    op.create_index(
        "ix_example_task_id_configuration_version",
        "example",
        ["task_id", "configuration_version", "example_id"],
    )
    op.create_table(
        "answer",
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("wrong", sa.Boolean, nullable=False),
        sa.Column("missing", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("example_id", "position", name="pk_answer"),
    )
    op.create_table(
        "vote",
        sa.Column("vote_id", sa.Uuid, nullable=False),
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("counted", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("vote_id", name="pk_vote"),
    )


def downgrade() -> None:
    for table in ("vote", "answer", "example", "segment", "round", "task_configuration", "inbox"):
        op.drop_table(table)
