"""Find the examples of a round by their words, tag, author and resolution, the newest first.

The index by round alone goes, since those of the list begin with the round. Indexes can't be built or dropped
concurrently within the one transaction of all migrations: over a million examples that of the words takes about half a
minute and the others a few seconds, in which votes wait.

Revision ID: 0015
"""

from alembic import op

revision = "0015"
down_revision = "0014"

INDEXES = {
    "ix_example_validation_newest": "example_validation (round_id, created_at, example_id)",
    "ix_example_validation_author": "example_validation (round_id, author_id, created_at, example_id)",
    "ix_example_validation_resolution": "example_validation (round_id, resolution, created_at, example_id)",
    "ix_example_tags": "example USING gin (tags)",
    "ix_example_written_words": (
        "example USING gin (jsonb_to_tsvector('simple', context || input, '[\"string\"]'))"
    ),
}
CREATE = "-- squawk-ignore require-concurrent-index-creation\nCREATE INDEX"
DROP = "-- squawk-ignore require-concurrent-index-deletion\nDROP INDEX"


def upgrade() -> None:
    """Create them, and drop the one that they make superfluous."""
    for name, columns in INDEXES.items():
        op.execute(f"{CREATE} {name} ON {columns}")
    op.execute(f"{DROP} ix_example_validation_round_id")


def downgrade() -> None:
    """Go back to the index by round alone."""
    op.execute(f"{CREATE} ix_example_validation_round_id ON example_validation (round_id)")
    for name in reversed(INDEXES):
        op.execute(f"{DROP} {name}")
