"""Find the tries that still wait for their authors' word.

An index can't be built concurrently within the one transaction of all migrations: over a million examples it takes
about a second, in which tries wait.

Revision ID: 0011
"""

from alembic import op

revision = "0011"
down_revision = "0010"

WAITS_FOR_AUTHOR = """
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_example_waits_for_author ON example (created_at)
WHERE verdict = 'undecided' AND CAST(answers AS jsonb) @> '[{"wrong": null}]'
"""


def upgrade() -> None:
    op.execute(WAITS_FOR_AUTHOR)


def downgrade() -> None:
    op.drop_index("ix_example_waits_for_author", "example")
