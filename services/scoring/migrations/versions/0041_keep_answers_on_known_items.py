"""Keep people's answers on known items, which their own exports list among their votes.

Revision ID: 0041
"""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "known_item_answer",
        sa.Column("example_id", sa.Uuid, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("vote_id", sa.Uuid),
        sa.Column("voter_id", sa.Uuid),
        sa.Column("record", sa.Text),
    )
    op.create_index("ix_known_item_answer_voter_id", "known_item_answer", ["voter_id", "vote_id"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("known_item_answer")
