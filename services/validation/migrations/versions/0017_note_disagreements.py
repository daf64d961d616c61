"""Note on each example between whom its votes disagree, and index examples by verdict.

Where votes are spans that agree without being equal, an example of before is listed as one whose voters disagree, until
its next vote. The index by round of `example` goes, since that of verdicts begins with the round. Over a million
examples this takes about a minute, in which votes wait.

Revision ID: 0017
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

COLUMNS = ("author_disagrees", "voters_disagree")
NOTED = """
UPDATE example_validation AS state
SET voters_disagree = votes.differ, author_disagrees = votes.deny
FROM (
    SELECT example_id,
        count(DISTINCT CASE WHEN kind = 'flag' THEN 'flag' ELSE option END) > 1 AS differ,
        coalesce(claimed <> '' AND NOT bool_or(option IN (claimed, 'correct')) FILTER (WHERE kind <> 'flag'), false)
            AS deny
    FROM vote JOIN example USING (example_id) WHERE counted GROUP BY example_id, claimed
) AS votes
WHERE state.example_id = votes.example_id AND (votes.differ OR votes.deny)
"""
VERDICT = """
CREATE FUNCTION example_verdict(decided boolean, fooled boolean, undecided boolean, claimed text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN coalesce(decided, fooled) THEN 'fooled' WHEN decided IS NOT NULL THEN 'not_fooled'
    WHEN undecided THEN 'undecided' WHEN claimed = '' THEN 'unknown' ELSE 'not_fooled' END
"""
ARGUMENTS = "decided_fooled, fooled, undecided, claimed"
CREATE = "-- squawk-ignore require-concurrent-index-creation\nCREATE INDEX"
DROP = "-- squawk-ignore require-concurrent-index-deletion\nDROP INDEX"


def upgrade() -> None:
    """Add the columns, fill them, and index them."""
    for name in COLUMNS:
        op.add_column(
            "example_validation", sa.Column(name, sa.Boolean, nullable=False, server_default="false")
        )
    op.execute(NOTED)
    for name in COLUMNS:
        op.execute(
            f"{CREATE} ix_example_validation_{name} "
            f"ON example_validation (round_id, created_at, example_id) WHERE {name}"
        )
    op.execute(VERDICT)
    op.execute(f"{CREATE} ix_example_verdict ON example (round_id, example_verdict({ARGUMENTS}))")
    op.execute(f"{DROP} ix_example_round_id")


def downgrade() -> None:
    """Go back to the index by round alone."""
    op.execute(f"{CREATE} ix_example_round_id ON example (round_id)")
    op.execute(f"{DROP} ix_example_verdict")
    op.execute("DROP FUNCTION example_verdict(boolean, boolean, boolean, text)")
    for name in COLUMNS:
        op.drop_column("example_validation", name)
