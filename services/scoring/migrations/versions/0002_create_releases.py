"""Create releases, datasets and measurements.

Revision ID: 0002
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0002"
down_revision = "0001"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    create_releases()
    create_datasets()
    op.create_table(
        "measurement",
        sa.Column("subject_id", sa.Uuid, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("requested_at", MOMENT, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("lease_id", sa.Uuid),
        sa.Column("leased_until", MOMENT),
        sa.Column("measured_at", MOMENT),
        sa.Column("result", JSONB),
        sa.Column("error", JSONB),
        sa.PrimaryKeyConstraint("subject_id", name="pk_measurement"),
    )


def create_releases() -> None:
    op.create_table(
        "release_key",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("round_id", name="pk_release_key"),
    )
    op.create_table(
        "release",
        sa.Column("release_id", sa.Uuid, nullable=False),
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("requested_by", sa.Uuid, nullable=False),
        sa.Column("requested_at", MOMENT, nullable=False),
        sa.Column("options", JSONB, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("step", sa.Text, nullable=False),
        sa.Column("progress", sa.Float, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("lease_id", sa.Uuid),
        sa.Column("leased_until", MOMENT),
        sa.Column("dataset_id", sa.Uuid),
        sa.Column("error", JSONB),
        sa.PrimaryKeyConstraint("release_id", name="pk_release"),
    )
    op.create_index(
        "uq_release_round_id_live",
        "release",
        ["round_id"],
        unique=True,
        postgresql_where=sa.text("state IN ('building', 'done')"),
    )


def create_datasets() -> None:
    op.create_table(
        "dataset",
        sa.Column("dataset_id", sa.Uuid, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("task_id", sa.Uuid, nullable=False),
        sa.Column("task_slug", sa.Text, nullable=False),
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("licence", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("citation", sa.Text, nullable=False),
        sa.Column("described", JSONB, nullable=False),
        sa.Column("files", JSONB, nullable=False),
        sa.Column("card", sa.Text, nullable=False),
        sa.Column("croissant", JSONB, nullable=False),
        sa.Column("manifest_key", sa.Text, nullable=False),
        sa.Column("released_by", sa.Uuid, nullable=False),
        sa.Column("released_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("dataset_id", name="pk_dataset"),
        sa.UniqueConstraint("name", "version", name="uq_dataset_name_version"),
    )
    op.create_index("ix_dataset_task_slug_dataset_id", "dataset", ["task_slug", "dataset_id"])


def downgrade() -> None:
    for table in ("measurement", "dataset", "release", "release_key"):
        op.drop_table(table)
