"""Take in how validation resolved examples.

Revision ID: 0004
"""

import sqlalchemy as sa
from alembic import op
from dynabench_common import plumbing

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    plumbing.create_inbox(op)
    op.create_table(
        "example_resolution",
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("is_confirmed", sa.Boolean, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("example_id", name="pk_example_resolution"),
        sa.ForeignKeyConstraint(
            ["example_id"], ["example.example_id"], name="fk_example_resolution_example_id_example"
        ),
    )


def downgrade() -> None:
    op.drop_table("example_resolution")
    op.drop_table("inbox")
