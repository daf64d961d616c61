"""Count each author's examples as they are written, so that a preview of a release need not read them.

Revision ID: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

KEY = "round_id, author_id, configuration_version, is_retracted, verdict, resolution, has_golds, has_claim"
KEY_OF_EXAMPLE = """
    round_id,
    coalesce(author_id, example_id) AS author_id,
    configuration_version,
    retracted_version IS NOT NULL AS is_retracted,
    coalesce(decided_verdict, verdict) AS verdict,
    coalesce(resolution, '') AS resolution,
    coalesce(jsonb_array_length(golds), 0) > 0 AS has_golds,
    claimed <> '' AS has_claim"""
# What each kind of statement adds to the counts and takes off them.
CHANGES = {"INSERT": {"after": 1}, "UPDATE": {"before": -1, "after": 1}, "DELETE": {"before": -1}}
REFERENCES = {"before": "OLD TABLE AS before", "after": "NEW TABLE AS after"}


def upgrade() -> None:
    op.create_table(
        "author_count",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("author_id", sa.Uuid, nullable=False),
        sa.Column("configuration_version", sa.Integer, nullable=False),
        sa.Column("is_retracted", sa.Boolean, nullable=False),
        sa.Column("verdict", sa.Text, nullable=False),
        sa.Column("resolution", sa.Text, nullable=False),
        sa.Column("has_golds", sa.Boolean, nullable=False),
        sa.Column("has_claim", sa.Boolean, nullable=False),
        sa.Column("examples", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint(*KEY.split(", "), name="pk_author_count"),
    )
    for event, changes in CHANGES.items():
        create_trigger(event, changes)
    op.execute(counting({"example": 1}))


def downgrade() -> None:
    for event in CHANGES:
        op.execute(f"DROP TRIGGER count_examples_{event.lower()} ON example")
        op.execute(f"DROP FUNCTION count_examples_{event.lower()}()")
    op.drop_table("author_count")


def create_trigger(event: str, changes: dict[str, int]) -> None:
    name = f"count_examples_{event.lower()}"
    op.execute(
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN {counting(changes)}; RETURN NULL; END $$"
    )
    references = " ".join(REFERENCES[rows] for rows in changes)
    op.execute(
        f"CREATE TRIGGER {name} AFTER {event} ON example REFERENCING {references} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {name}()"
    )


def counting(changes: dict[str, int]) -> str:
    """Return the statement that adds the examples of some tables to the counts, so many times each.

    An example counts from its own event on: a retraction or resolution that came earlier tells of no round. The order
    of the rows keeps two workers from waiting for each other.
    """
    sources = " UNION ALL ".join(
        f"SELECT {KEY_OF_EXAMPLE}, {sign} AS change FROM {rows} WHERE round_id IS NOT NULL"
        for rows, sign in changes.items()
    )
    return (
        f"INSERT INTO author_count ({KEY}, examples) "
        f"SELECT {KEY}, sum(change) FROM ({sources}) AS changed "
        f"GROUP BY {KEY} HAVING sum(change) <> 0 ORDER BY {KEY} "
        f"ON CONFLICT ({KEY}) DO UPDATE SET examples = author_count.examples + excluded.examples"
    )
