"""Count agreement anew: votes beside others who are split evenly count, and what is kept of voters is in half votes.

The worker does so from the notes; until it has, reads take the difference into account.

Revision ID: 0013
"""

from alembic import op

revision = "0013"
down_revision = "0012"

COUNTED = """
INSERT INTO agreement_change (round_id, example_id)
SELECT round_id, example_id FROM agreement_share
"""


def upgrade() -> None:
    """Note every example that was counted."""
    op.execute(COUNTED)


def downgrade() -> None:
    """Note them for the version before, which counts whole votes."""
    op.execute(COUNTED)
