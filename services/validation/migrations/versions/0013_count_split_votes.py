"""Count agreement anew: votes beside others who are split evenly count, and what is kept of voters is in half votes.

The worker of this version does so from the notes, so the one before must have stopped. Until it is through, reads take
the difference of up to 5,000 examples of a round into account, and the human estimate of a larger round is still too
sparing with its votes.

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
