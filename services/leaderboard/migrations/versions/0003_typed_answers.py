"""Answers and golds as value texts, decided verdicts, and sums by fooling pattern and by condition.

The new sums start empty: `leaderboard rebuild` fills them from the log.

Revision ID: 0003
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0003"
down_revision = "0002"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.alter_column("answer", "label", new_column_name="value")
    op.add_column("example", sa.Column("condition", sa.Text))
    op.add_column("example", sa.Column("decision_version", sa.Integer))
    op.add_column("example", sa.Column("decided_verdict", sa.Text))
    op.add_column("example", sa.Column("wrong_targets", JSONB))
    op.add_column("example", sa.Column("decided_at", MOMENT))
    op.add_column("example", sa.Column("golds", JSONB))
    op.execute("UPDATE example SET condition = '' WHERE try_version IS NOT NULL")
    op.execute(
        "UPDATE example SET golds = CASE WHEN agreed_is_task_label THEN jsonb_build_array(agreed_option)"
        " ELSE '[]'::jsonb END WHERE resolution_version IS NOT NULL"
    )
    op.drop_column("example", "agreed_option")
    op.drop_column("example", "agreed_is_task_label")
    create_sums()


def create_sums() -> None:
    op.create_table(
        "fooling_pattern",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("segment_id", sa.Uuid, nullable=False),
        sa.Column("answered", sa.Text, nullable=False),
        sa.Column("fooled", sa.Text, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("validated", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("round_id", "segment_id", "answered", "fooled", name="pk_fooling_pattern"),
    )
    op.create_table(
        "condition_tally",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("condition", sa.Text, nullable=False),
        sa.Column("author_id", sa.Uuid, nullable=False),
        *(
            sa.Column(name, sa.Integer, nullable=False)
            for name in ("tries", "decided", "fooled", "errors", "apart_errors")
        ),
        sa.PrimaryKeyConstraint("round_id", "condition", "author_id", name="pk_condition_tally"),
    )


def downgrade() -> None:
    op.drop_table("condition_tally")
    op.drop_table("fooling_pattern")
    op.add_column("example", sa.Column("agreed_is_task_label", sa.Boolean))
    op.add_column("example", sa.Column("agreed_option", sa.Text))
    op.execute(
        "UPDATE example SET agreed_is_task_label = golds <> '[]'::jsonb, agreed_option = coalesce(golds ->> 0, '')"
        " WHERE resolution_version IS NOT NULL"
    )
    for column in (
        "golds",
        "decided_at",
        "wrong_targets",
        "decided_verdict",
        "decision_version",
        "condition",
    ):
        op.drop_column("example", column)
    op.alter_column("answer", "value", new_column_name="label")
