"""Create the tables of what is served.

Revision ID: 0002
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0002"
down_revision: str | None = "0001"

MOMENT = sa.DateTime(timezone=True)
TABLES = ("worker_use", "reconciler", "serving_state", "served_model")


def upgrade() -> None:
    op.create_table(
        "served_model",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("submission_id", sa.Uuid),
        sa.Column("pool", sa.Text, nullable=False),
        sa.Column("declaration", JSONB, nullable=False),
        sa.Column("archive", JSONB, nullable=False),
        sa.Column("wanted", sa.Boolean, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False, server_default=sa.text("now()")),
        sa.PrimaryKeyConstraint("name", name="pk_served_model"),
        sa.CheckConstraint(
            "(origin = 'submission') = (submission_id IS NOT NULL)", name="ck_served_model_origin"
        ),
    )
    op.create_index("ix_served_model_submission_id", "served_model", ["submission_id"])
    op.create_table(
        "serving_state",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("record", JSONB, nullable=False),
        sa.Column("seen_at", MOMENT, nullable=False, server_default=sa.text("now()")),
        sa.PrimaryKeyConstraint("name", name="pk_serving_state"),
    )
    op.create_table(
        "reconciler",
        sa.Column("one", sa.Boolean, nullable=False, server_default=sa.text("true")),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("beat_at", MOMENT, nullable=False),
        sa.Column("has_looked", sa.Boolean, nullable=False),
        sa.Column("problem", sa.Text),
        sa.PrimaryKeyConstraint("one", name="pk_reconciler"),
        sa.CheckConstraint("one", name="ck_reconciler_one"),
    )
    op.create_table(
        "worker_use",
        sa.Column("serving_name", sa.Text, nullable=False),
        sa.Column("used_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("serving_name", name="pk_worker_use"),
    )


def downgrade() -> None:
    for name in TABLES:
        op.drop_table(name)
