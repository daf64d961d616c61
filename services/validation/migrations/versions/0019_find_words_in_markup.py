"""Find words that stand in markup, in addresses and between slashes.

PostgreSQL takes `<Script>`, `&amp;`, `a@b.org` and `and/or` for tags, entities, addresses and paths. It leaves them out
or keeps them whole. The signs that make them are read as spaces. Building the index over a million examples takes about
half a minute, in which votes wait.

Revision ID: 0019
"""

from alembic import op

revision = "0019"
down_revision = "0018"

FUNCTION = """
CREATE OR REPLACE FUNCTION written_words(context jsonb, input jsonb)
RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN length((context || input)::text) > 150000 THEN NULL {markup}
ELSE jsonb_to_tsvector('simple', context || input, '["string"]') END
"""
MARKUP = """
WHEN (context || input)::text ~ '[<>&/@=]'
THEN jsonb_to_tsvector('simple', translate((context || input)::text, '<>&/@=', '      ')::jsonb, '["string"]')
"""


def upgrade() -> None:
    """Build the index of words without signs of markup."""
    _build(MARKUP)


def downgrade() -> None:
    """Go back to words as PostgreSQL finds them."""
    _build("")


def _build(markup: str) -> None:
    op.execute(FUNCTION.format(markup=markup))
    op.execute("-- squawk-ignore require-concurrent-index-deletion\nDROP INDEX ix_example_written_words")
    op.execute(
        "-- squawk-ignore require-concurrent-index-creation\n"
        "CREATE INDEX ix_example_written_words ON example USING gin (written_words(context, input))"
    )
