"""Take in examples whose words are too many to be searched.

PostgreSQL refuses a row with more than 1 MiB of words, and an example that can't be stored holds its partition. Texts
of over 150,000 characters are left out of the index and are not found by their words. Building it over a million
examples takes about half a minute, in which votes wait.

Revision ID: 0016
"""

from alembic import op

revision = "0016"
down_revision = "0015"

WORDS = "jsonb_to_tsvector('simple', context || input, '[\"string\"]')"
FUNCTION = f"""
CREATE FUNCTION written_words(context jsonb, input jsonb) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN length((context || input)::text) <= 150000 THEN {WORDS} END
"""


def upgrade() -> None:
    """Build the index of words over texts that fit."""
    op.execute(FUNCTION)
    _build("written_words(context, input)")


def downgrade() -> None:
    """Go back to the index over all texts, which a longer one keeps from being built."""
    _build(WORDS)
    op.execute("DROP FUNCTION written_words(jsonb, jsonb)")


def _build(words: str) -> None:
    op.execute("-- squawk-ignore require-concurrent-index-deletion\nDROP INDEX ix_example_written_words")
    op.execute(
        "-- squawk-ignore require-concurrent-index-creation\n"
        f"CREATE INDEX ix_example_written_words ON example USING gin ({words})"
    )
