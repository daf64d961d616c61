"""Keep items whose answer is known, whom they were shown to, and where each validator stands.

People who have voted before become validators of their tasks at once, so that owners see them.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0005"
down_revision = "0004"

TIME = sa.DateTime(timezone=True)
VALIDATORS = """
INSERT INTO validator (task_id, person_id)
SELECT DISTINCT example.task_id, vote.voter_id
FROM vote JOIN example ON example.example_id = vote.example_id
WHERE vote.lease_id IS NOT NULL AND example.task_id IS NOT NULL
"""


def upgrade() -> None:
    """Create the tables with the indexes that a lease and a validator's figures are read by."""
    _create_gold_item()
    _create_gold_showing()
    _create_gold_answer()
    op.create_table(
        "validator",
        sa.Column("task_id", sa.Uuid, nullable=False),
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("decided_state", sa.Text),
        sa.Column("decision_reason", sa.Text),
        sa.Column("decided_at", TIME),
        sa.Column("appeal_reason", sa.Text),
        sa.Column("appealed_at", TIME),
        sa.PrimaryKeyConstraint("task_id", "person_id", name="pk_validator"),
    )
    op.execute(VALIDATORS)


def _create_gold_item() -> None:
    op.create_table(
        "gold_item",
        sa.Column("gold_id", sa.Uuid, nullable=False),
        sa.Column("task_id", sa.Uuid, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("example_id", sa.Uuid),
        sa.Column("resolved_at", TIME),
        sa.Column("author_id", sa.Uuid, nullable=False),
        sa.Column("configuration_version", sa.Integer, nullable=False),
        sa.Column("context", JSONB, nullable=False),
        sa.Column("input", JSONB, nullable=False),
        sa.Column("claimed", sa.Text, nullable=False),
        sa.Column("explanation", sa.Text, nullable=False),
        sa.Column("answers", JSONB, nullable=False),
        sa.Column("added_at", TIME, nullable=False),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("answered", sa.Integer, nullable=False),
        sa.Column("failed", sa.Integer, nullable=False),
        sa.Column("retirement", sa.Text),
        sa.Column("retired_at", TIME),
        sa.PrimaryKeyConstraint("gold_id", name="pk_gold_item"),
        sa.UniqueConstraint("example_id", name="uq_gold_item_example_id"),
    )
    op.create_index("ix_gold_item_task_id", "gold_item", ["task_id", "gold_id"])
    op.create_index(
        "ix_gold_item_pool",
        "gold_item",
        ["task_id", "shown", "gold_id"],
        postgresql_where=sa.text("retired_at IS NULL"),
    )


def _create_gold_showing() -> None:
    op.create_table(
        "gold_showing",
        sa.Column("showing_id", sa.Uuid, nullable=False),
        sa.Column("gold_id", sa.Uuid, nullable=False),
        sa.Column("task_id", sa.Uuid, nullable=False),
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("configuration_version", sa.Integer, nullable=False),
        sa.Column("after_answers", sa.Integer, nullable=False),
        sa.Column("shown_at", TIME, nullable=False),
        sa.Column("answered_at", TIME),
        sa.Column("passed", sa.Boolean),
        sa.PrimaryKeyConstraint("showing_id", name="pk_gold_showing"),
        sa.UniqueConstraint("gold_id", "person_id", name="uq_gold_showing_gold_id_person_id"),
        sa.ForeignKeyConstraint(["gold_id"], ["gold_item.gold_id"], name="fk_gold_showing_gold_id_gold_item"),
    )
    op.create_index(
        "ix_gold_showing_person_id_task_id", "gold_showing", ["person_id", "task_id", "answered_at"]
    )


def _create_gold_answer() -> None:
    op.create_table(
        "gold_answer",
        sa.Column("vote_id", sa.Uuid, nullable=False),
        sa.Column("showing_id", sa.Uuid, nullable=False),
        sa.Column("lease_id", sa.Uuid, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("option", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("counted", sa.Boolean, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("cast_at", TIME, nullable=False),
        sa.Column("metadata", JSONB, nullable=False),
        sa.Column("agrees", sa.Boolean),
        sa.Column("judged_at", TIME),
        sa.Column("corrected", sa.Text),
        sa.Column("explanation", sa.Text),
        sa.PrimaryKeyConstraint("vote_id", name="pk_gold_answer"),
        sa.UniqueConstraint("showing_id", name="uq_gold_answer_showing_id"),
        sa.UniqueConstraint("lease_id", name="uq_gold_answer_lease_id"),
        sa.ForeignKeyConstraint(
            ["showing_id"], ["gold_showing.showing_id"], name="fk_gold_answer_showing_id_gold_showing"
        ),
    )


def downgrade() -> None:
    """Drop them."""
    for table in ("validator", "gold_answer", "gold_showing", "gold_item"):
        op.drop_table(table)
