"""Count each round's examples and votes as they change, so that whoever asks for the counts reads no examples.

Triggers append what a statement changed; the worker adds rows up (`adapters/round_counts.py`). So nobody who votes
waits for a row of counts that another voter writes. The index that the counts were read from gives way to a smaller
one, which a vote need not change: over a million examples that takes a few seconds, in which votes wait.

Revision ID: 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

KIND = "round_id, resolution, retracted, priority, pending"
SOURCE = """
    round_id, coalesce(resolution, '') AS resolution, retracted, priority,
    wanted AND NOT retracted AND resolution IS NULL AS pending"""
# What each kind of statement adds to the counts and takes off them.
CHANGES = {"INSERT": {"after": 1}, "UPDATE": {"before": -1, "after": 1}, "DELETE": {"before": -1}}
REFERENCES = {"before": "OLD TABLE AS before", "after": "NEW TABLE AS after"}
SMALL_INDEX = """
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_example_validation_round_id ON example_validation (round_id)
"""
LARGE_INDEX = """
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_example_validation_counts
ON example_validation (round_id, resolution, retracted, wanted, priority, votes_counted)
"""


def upgrade() -> None:
    op.create_table(
        "round_count",
        sa.Column("count_id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("resolution", sa.Text, nullable=False),
        sa.Column("retracted", sa.Boolean, nullable=False),
        sa.Column("priority", sa.SmallInteger, nullable=False),
        sa.Column("pending", sa.Boolean, nullable=False),
        sa.Column("examples", sa.BigInteger, nullable=False),
        sa.Column("votes", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("count_id", name="pk_round_count"),
    )
    op.create_index("ix_round_count_round_id", "round_count", ["round_id"])
    for event, changes in CHANGES.items():
        create_trigger(event, changes)
    op.execute(counting({"example_validation": 1}))
    op.execute(SMALL_INDEX)
    op.execute("-- squawk-ignore require-concurrent-index-deletion\nDROP INDEX ix_example_validation_counts")


def downgrade() -> None:
    op.execute(LARGE_INDEX)
    op.drop_index("ix_example_validation_round_id", "example_validation")
    for event in CHANGES:
        op.execute(f"DROP TRIGGER count_round_{event.lower()} ON example_validation")
        op.execute(f"DROP FUNCTION count_round_{event.lower()}()")
    op.drop_table("round_count")


def create_trigger(event: str, changes: dict[str, int]) -> None:
    name = f"count_round_{event.lower()}"
    op.execute(
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN {counting(changes)}; RETURN NULL; END $$"
    )
    references = " ".join(REFERENCES[rows] for rows in changes)
    op.execute(
        f"CREATE TRIGGER {name} AFTER {event} ON example_validation REFERENCING {references} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {name}()"
    )


def counting(changes: dict[str, int]) -> str:
    """Return the statement that appends what the rows of some tables change, so many times each."""
    sources = " UNION ALL ".join(
        f"SELECT {SOURCE}, {sign} AS examples, {sign} * votes_counted AS votes FROM {rows}"
        for rows, sign in changes.items()
    )
    return (
        f"INSERT INTO round_count ({KIND}, examples, votes) "
        f"SELECT {KIND}, sum(examples), sum(votes) FROM ({sources}) AS changed "
        f"GROUP BY {KIND} HAVING sum(examples) <> 0 OR sum(votes) <> 0"
    )
