"""Create what is known of submitted models and of their scores.

Revision ID: 0012
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0012"
down_revision = "0011"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables; a read model of the new version fills its own copies from the log."""
    op.create_table(
        "model_board",
        sa.Column("task_slug", sa.Text, nullable=False),
        sa.Column("revision", sa.Uuid, nullable=False),
        sa.Column("as_of", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("task_slug", name="pk_model_board"),
    )
    op.create_table(
        "submission",
        sa.Column("submission_id", sa.Uuid, nullable=False),
        sa.Column("task_slug", sa.Text, nullable=False),
        sa.Column("submitted_by", sa.Uuid, nullable=False),
        sa.Column("named_version", sa.Integer),
        sa.Column("model_name", sa.Text),
        sa.Column("number", sa.Integer),
        sa.Column("serving_name", sa.Text),
        sa.Column("state_version", sa.Integer),
        sa.Column("state", sa.Text),
        sa.Column("anonymous", sa.Boolean),
        sa.PrimaryKeyConstraint("submission_id", name="pk_submission"),
    )
    op.create_index("ix_submission_task_slug", "submission", ["task_slug"])
    op.create_table(
        "score",
        sa.Column("evaluation_id", sa.Uuid, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("task_slug", sa.Text, nullable=False),
        sa.Column("model", JSONB, nullable=False),
        sa.Column("dataset", JSONB, nullable=False),
        sa.Column("metric_version", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("fault", sa.Text),
        sa.Column("reason", sa.Text),
        sa.Column("happened_at", MOMENT, nullable=False),
        sa.Column("metrics", JSONB, nullable=False),
        sa.Column("influences", sa.LargeBinary),
        sa.Column("failed_items", sa.Integer),
        sa.Column("constant_answer", sa.Text),
        sa.Column("target_of_round", sa.Boolean),
        sa.PrimaryKeyConstraint("evaluation_id", name="pk_score"),
    )
    op.create_index("ix_score_task_slug", "score", ["task_slug"])


def downgrade() -> None:
    """Drop them."""
    for name in ("score", "submission", "model_board"):
        op.drop_table(name)
