"""Take in what groups, effort and standing are counted from, and create their sums.

`projection` says by which version of the counting the rows were made: a worker of another version builds them anew.

Revision ID: 0003
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0003"
down_revision = "0002"

MOMENT = sa.DateTime(timezone=True)
TALLY = (
    "tries",
    "decided",
    "fooled",
    "not_fooled",
    "retracted",
    "undecided",
    "unknown",
    "no_target",
    "votes",
    "pending",
    "fooled_resolved",
    "fooled_correct",
    "stratum_fooled",
    "stratum_fooled_resolved",
    "stratum_fooled_errors",
    "stratum_not_fooled",
    "stratum_not_fooled_resolved",
    "stratum_not_fooled_errors",
    "apart_resolved",
    "apart_errors",
)
EXAMPLE = {
    "cohort": sa.Text,
    "tags": JSONB,
    "claimed": sa.Text,
    "context_id": sa.Uuid,
    "number": sa.Integer,
    "milliseconds": sa.BigInteger,
    "withdrawal_version": sa.Integer,
    "withdrawn_at": MOMENT,
}
ROUND = {"targets_version": sa.Integer, "origin": sa.Text, "opened_at": MOMENT}


def upgrade() -> None:
    op.create_table(
        "projection",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_projection"),
    )
    for name, type_ in EXAMPLE.items():
        op.add_column("example", sa.Column(name, type_))
    for name, type_ in ROUND.items():
        op.add_column("round", sa.Column(name, type_))
    for name in ("cast_version", "withdrawn_version"):
        op.add_column("vote", sa.Column(name, sa.Integer, nullable=False, server_default="0"))
    create_sums()
    create_effort()


def create_sums() -> None:
    op.create_table(
        "round_history",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("pace", sa.Integer, nullable=False),
        sa.Column("bucket_start", MOMENT, nullable=False),
        *counts("decided", "fooled", "errors", "apart_errors"),
        sa.PrimaryKeyConstraint("round_id", "pace", "bucket_start", name="pk_round_history"),
    )
    op.create_table(
        "author_history",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("pace", sa.Integer, nullable=False),
        sa.Column("bucket_start", MOMENT, nullable=False),
        sa.Column("author_id", sa.Uuid, nullable=False),
        *counts("decided", "fooled", "errors", "confirmed"),
        sa.PrimaryKeyConstraint("round_id", "pace", "bucket_start", "author_id", name="pk_author_history"),
    )
    op.create_table(
        "group_tally",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("dimension", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        *counts(*TALLY),
        sa.PrimaryKeyConstraint("round_id", "dimension", "name", name="pk_group_tally"),
    )
    op.create_table(
        "group_author",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("dimension", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("author_id", sa.Uuid, nullable=False),
        *counts("decided", "fooled", "errors", "fooled_resolved", "fooled_correct"),
        sa.PrimaryKeyConstraint("round_id", "dimension", "name", "author_id", name="pk_group_author"),
    )
    op.create_table(
        "census",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        *counts("examples"),
        sa.PrimaryKeyConstraint("round_id", "kind", "name", name="pk_census"),
    )


def create_effort() -> None:
    op.create_table(
        "pursuit",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("author_id", sa.Uuid, nullable=False),
        sa.Column("context_id", sa.Uuid, nullable=False),
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("milliseconds", sa.BigInteger, nullable=False),
        sa.Column("fooled", JSONB, nullable=False),
        sa.PrimaryKeyConstraint("round_id", "author_id", "context_id", "example_id", name="pk_pursuit"),
    )
    op.create_table(
        "effort",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("milliseconds", sa.BigInteger, nullable=False),
        *counts("timed_tries"),
        sa.PrimaryKeyConstraint("round_id", "subject", name="pk_effort"),
    )
    op.create_table(
        "survival",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        *counts("fooled", "unfooled"),
        sa.PrimaryKeyConstraint("round_id", "subject", "tries", name="pk_survival"),
    )


def counts(*names: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer, nullable=False) for name in names]


def downgrade() -> None:
    for table in (
        "survival",
        "effort",
        "pursuit",
        "census",
        "group_author",
        "group_tally",
        "author_history",
        "round_history",
        "projection",
    ):
        op.drop_table(table)
    for name in ("cast_version", "withdrawn_version"):
        op.drop_column("vote", name)
    for name in ROUND:
        op.drop_column("round", name)
    for name in EXAMPLE:
        op.drop_column("example", name)
