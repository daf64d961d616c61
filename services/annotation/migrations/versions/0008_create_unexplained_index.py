"""Find the fooling tries of a round whose author does not say why the targets were fooled.

An index can't be built concurrently within the one transaction of all migrations: over a million examples it takes
about a second, in which tries wait.

Revision ID: 0008
"""

from alembic import op

revision = "0008"
down_revision = "0007"

UNEXPLAINED = """
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_example_unexplained ON example (round_id)
WHERE verdict = 'fooled' AND retracted_at IS NULL AND model_explanation = ''
"""


def upgrade() -> None:
    op.execute(UNEXPLAINED)


def downgrade() -> None:
    op.drop_index("ix_example_unexplained", "example")
