"""Keep which examples say what an earlier one said, and count them as what they count as.

The counts are right as they are, since no example is known to be a duplicate yet.

Revision ID: 0006
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

COLUMNS = {
    "duplicate_of": sa.Uuid,
    "decided_duplicate_of": sa.Uuid,
    "overruled_version": sa.Integer,
    "overruled_verdict": sa.Text,
}
KEY = "round_id, author_id, configuration_version, is_retracted, verdict, resolution, has_golds, has_claim"
CHANGES = {"insert": {"after": 1}, "update": {"before": -1, "after": 1}, "delete": {"before": -1}}
BEFORE, NOW = "decided_verdict, verdict", "overruled_verdict, decided_verdict, verdict"


def upgrade() -> None:
    """Add the columns; an owner's word goes before the author's, and that before the stored verdict."""
    for name, column_type in COLUMNS.items():
        op.add_column("example", sa.Column(name, column_type))
    count_by(NOW)


def downgrade() -> None:
    """Drop them."""
    count_by(BEFORE)
    for name in reversed(COLUMNS):
        op.drop_column("example", name)


def count_by(verdicts: str) -> None:
    """Let the triggers count examples by the first of these columns that holds a verdict."""
    for event, changes in CHANGES.items():
        op.execute(
            f"CREATE OR REPLACE FUNCTION count_examples_{event}() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN {counting(changes, verdicts)}; RETURN NULL; END $$"
        )


def counting(changes: dict[str, int], verdicts: str) -> str:
    """Return the statement that adds the examples of some tables to the counts, so many times each."""
    sources = " UNION ALL ".join(
        f"""SELECT round_id,
            coalesce(author_id, example_id) AS author_id,
            configuration_version,
            retracted_version IS NOT NULL AS is_retracted,
            coalesce({verdicts}) AS verdict,
            coalesce(resolution, '') AS resolution,
            coalesce(jsonb_array_length(golds), 0) > 0 AS has_golds,
            claimed <> '' AS has_claim,
            {sign} AS change
        FROM {rows} WHERE round_id IS NOT NULL"""
        for rows, sign in changes.items()
    )
    return (
        f"INSERT INTO author_count ({KEY}, examples) "
        f"SELECT {KEY}, sum(change) FROM ({sources}) AS changed "
        f"GROUP BY {KEY} HAVING sum(change) <> 0 ORDER BY {KEY} "
        f"ON CONFLICT ({KEY}) DO UPDATE SET examples = author_count.examples + excluded.examples"
    )
