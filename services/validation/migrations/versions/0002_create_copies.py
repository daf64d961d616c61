"""Create the copies of annotation's tasks, rounds and examples."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the copied tables."""
    op.create_table(
        "task_configuration",
        sa.Column("task_id", sa.Uuid, nullable=False),
        sa.Column("configuration_version", sa.Integer, nullable=False),
        sa.Column("fact_version", sa.Integer, nullable=False),
        sa.Column("slug", sa.Text, nullable=False),
        sa.Column("configuration", JSONB, nullable=False),
        sa.PrimaryKeyConstraint("task_id", "configuration_version", name="pk_task_configuration"),
    )
    op.create_table(
        "round",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("created_version", sa.Integer),
        sa.Column("task_id", sa.Uuid),
        sa.Column("number", sa.Integer),
        sa.Column("state_version", sa.Integer),
        sa.Column("state", sa.Text),
        sa.PrimaryKeyConstraint("round_id", name="pk_round"),
    )
    op.create_table(
        "example",
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("created_version", sa.Integer),
        sa.Column("task_id", sa.Uuid),
        sa.Column("task_slug", sa.Text),
        sa.Column("configuration_version", sa.Integer),
        sa.Column("round_id", sa.Uuid),
        sa.Column("author_id", sa.Uuid),
        sa.Column("context", JSONB),
        sa.Column("input", JSONB),
        sa.Column("claimed", sa.Text),
        sa.Column("fooled", sa.Boolean),
        sa.Column("undecided", sa.Boolean),
        sa.Column("decided_version", sa.Integer),
        sa.Column("decided_fooled", sa.Boolean),
        sa.Column("margin", sa.Double),
        sa.Column("created_at", sa.DateTime(timezone=True)),
        sa.Column("explained_version", sa.Integer),
        sa.Column("label_explanation", sa.Text),
        sa.Column("model_explanation", sa.Text),
        sa.Column("retracted_version", sa.Integer),
        sa.Column("retracted_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("example_id", name="pk_example"),
    )
    op.create_index(
        "ix_example_task_id_configuration_version", "example", ["task_id", "configuration_version"]
    )
    op.create_index("ix_example_round_id", "example", ["round_id"])


def downgrade() -> None:
    """Drop them."""
    for table in ("example", "round", "task_configuration"):
        op.drop_table(table)
