"""Keep which voters confirm one author's tries alone.

Revision ID: 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Make the table, and let the worker look at every round again."""
    op.create_table(
        "one_author_voter",
        sa.Column("round_id", sa.Uuid, primary_key=True),
        sa.Column("voter_id", sa.Uuid, primary_key=True),
        sa.Column("author_id", sa.Uuid, nullable=False),
        sa.Column("confirmed", sa.Integer, nullable=False),
        sa.Column("of_author", sa.Integer, nullable=False),
        sa.Column("expected", sa.Double, nullable=False),
        sa.Column("p_adjusted", sa.Double, nullable=False),
    )
    op.execute("UPDATE round_evidence SET changed_at = coalesce(changed_at, now()), computed_at = NULL")


def downgrade() -> None:
    """Drop it."""
    op.drop_table("one_author_voter")
