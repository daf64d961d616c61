"""Keep the made-up words of hidden datasets, and where they were found.

Revision ID: 0031
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "canary",
        sa.Column("word", sa.Text, nullable=False),
        sa.Column("dataset_id", sa.Uuid, nullable=False),
        sa.PrimaryKeyConstraint("word", name="pk_canary"),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["evaluation_dataset.dataset_id"],
            name="fk_canary_dataset_id_evaluation_dataset",
        ),
    )
    op.create_index("ix_canary_dataset_id", "canary", ["dataset_id"])
    op.create_table(
        "leak",
        sa.Column("dataset_id", sa.Uuid, nullable=False),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("reference", sa.Uuid, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("found_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("dataset_id", "place", "reference", name="pk_leak"),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["evaluation_dataset.dataset_id"],
            name="fk_leak_dataset_id_evaluation_dataset",
        ),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("leak")
    op.drop_table("canary")
