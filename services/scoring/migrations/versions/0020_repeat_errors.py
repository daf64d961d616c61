"""Keep how often validated errors repeated when targets were asked again at a release.

Revision ID: 0020
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0007"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "repeated_error",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("release_id", sa.Uuid, nullable=False),
        sa.Column("repeated", sa.Integer),
        sa.PrimaryKeyConstraint("round_id", "example_id", "target", name="pk_repeated_error"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("repeated_error")
