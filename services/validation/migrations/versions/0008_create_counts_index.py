"""Count a round's examples from an index that holds all that is counted, in the place of the one by round alone.

Its entries are few different ones, which PostgreSQL keeps as lists, so it is hardly larger. Indexes can't be built or
dropped concurrently within the one transaction of all migrations: over a million examples that takes a few seconds,
in which votes wait.

Revision ID: 0008
"""

from alembic import op

revision = "0008"
down_revision = "0007"

COUNTS = """
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_example_validation_counts
ON example_validation (round_id, resolution, retracted, wanted, priority, votes_counted)
"""
BY_ROUND = """
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_example_validation_round_id ON example_validation (round_id)
"""


def upgrade() -> None:
    """Create the index and drop the one that it makes superfluous."""
    op.execute(COUNTS)
    op.execute(
        "-- squawk-ignore require-concurrent-index-deletion\nDROP INDEX ix_example_validation_round_id"
    )


def downgrade() -> None:
    """Go back to the index by round alone."""
    op.execute(BY_ROUND)
    op.drop_index("ix_example_validation_counts", "example_validation")
