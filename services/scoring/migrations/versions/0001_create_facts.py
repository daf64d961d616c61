"""Create the plumbing and the facts taken from other services' events.

Revision ID: 0001
"""

import sqlalchemy as sa
from alembic import op
from dynabench_common import plumbing
from sqlalchemy.dialects.postgresql import JSONB

revision = "0001"
down_revision: str | None = None

MOMENT = sa.DateTime(timezone=True)
PLUMBING = ("dead_letter", "outbox", "inbox")


def upgrade() -> None:
    plumbing.create_inbox(op)
    plumbing.create_outbox(op)
    plumbing.create_dead_letter(op)
    create_rounds()
    create_examples()
    create_votes()


def create_rounds() -> None:
    op.create_table(
        "task_configuration",
        sa.Column("task_id", sa.Uuid, nullable=False),
        sa.Column("configuration_version", sa.Integer, nullable=False),
        sa.Column("fact_version", sa.Integer),
        sa.Column("slug", sa.Text),
        sa.Column("title", sa.Text),
        sa.Column("configuration", JSONB),
        sa.PrimaryKeyConstraint("task_id", "configuration_version", name="pk_task_configuration"),
    )
    op.create_table(
        "round",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("created_version", sa.Integer),
        sa.Column("task_id", sa.Uuid),
        sa.Column("number", sa.Integer),
        sa.Column("title", sa.Text),
        sa.Column("origin", sa.Text),
        sa.Column("source", sa.Text),
        sa.Column("targets_version", sa.Integer),
        sa.Column("targets", JSONB),
        sa.Column("state_version", sa.Integer),
        sa.Column("state", sa.Text),
        sa.PrimaryKeyConstraint("round_id", name="pk_round"),
    )
    op.create_table(
        "segment",
        sa.Column("segment_id", sa.Uuid, nullable=False),
        sa.Column("fact_version", sa.Integer),
        sa.Column("round_id", sa.Uuid),
        sa.Column("number", sa.Integer),
        sa.PrimaryKeyConstraint("segment_id", name="pk_segment"),
    )
    op.create_index("ix_segment_round_id", "segment", ["round_id"])


def create_examples() -> None:
    op.create_table(
        "example",
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("created_version", sa.Integer),
        sa.Column("task_id", sa.Uuid),
        sa.Column("round_id", sa.Uuid),
        sa.Column("segment_id", sa.Uuid),
        sa.Column("author_id", sa.Uuid),
        sa.Column("configuration_version", sa.Integer),
        sa.Column("context", JSONB),
        sa.Column("input", JSONB),
        sa.Column("claimed", sa.Text),
        sa.Column("answers", JSONB),
        sa.Column("verdict", sa.Text),
        sa.Column("cohort", sa.Text),
        sa.Column("condition", sa.Text),
        sa.Column("tags", JSONB),
        sa.Column("created_at", MOMENT),
        sa.Column("decided_version", sa.Integer),
        sa.Column("decided_verdict", sa.Text),
        sa.Column("wrong_targets", JSONB),
        sa.Column("metadata_version", sa.Integer),
        sa.Column("metadata", JSONB),
        sa.Column("explained_version", sa.Integer),
        sa.Column("label_explanation", sa.Text),
        sa.Column("model_explanation", sa.Text),
        sa.Column("retracted_version", sa.Integer),
        sa.Column("retracted_at", MOMENT),
        sa.Column("resolution_version", sa.Integer),
        sa.Column("resolution", sa.Text),
        sa.Column("golds", JSONB),
        sa.Column("is_adjudicated", sa.Boolean),
        sa.Column("resolved_at", MOMENT),
        sa.PrimaryKeyConstraint("example_id", name="pk_example"),
    )
    op.create_index("ix_example_round_id_example_id", "example", ["round_id", "example_id"])
    op.create_index("ix_example_author_id_example_id", "example", ["author_id", "example_id"])


def create_votes() -> None:
    op.create_table(
        "vote",
        sa.Column("vote_id", sa.Uuid, nullable=False),
        sa.Column("cast_version", sa.Integer),
        sa.Column("example_id", sa.Uuid),
        sa.Column("voter_id", sa.Uuid),
        sa.Column("kind", sa.Text),
        sa.Column("option", sa.Text),
        sa.Column("reason", sa.Text),
        sa.Column("counted", sa.Boolean),
        sa.Column("metadata", JSONB),
        sa.Column("cast_at", MOMENT),
        sa.Column("withdrawn_version", sa.Integer),
        sa.Column("cause", sa.Text),
        sa.Column("judged_version", sa.Integer),
        sa.Column("agrees", sa.Boolean),
        sa.Column("corrected", sa.Text),
        sa.Column("explanation", sa.Text),
        sa.PrimaryKeyConstraint("vote_id", name="pk_vote"),
    )
    op.create_index("ix_vote_example_id", "vote", ["example_id"])
    op.create_index("ix_vote_voter_id_vote_id", "vote", ["voter_id", "vote_id"])


def downgrade() -> None:
    for table in ("vote", "example", "segment", "round", "task_configuration", *PLUMBING):
        op.drop_table(table)
