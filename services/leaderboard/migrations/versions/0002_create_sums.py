"""Create the sums that boards are read from.

Revision ID: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

COUNTS = (
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


def upgrade() -> None:
    op.create_table(
        "tally",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("segment_id", sa.Uuid, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("author_id", sa.Uuid, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in COUNTS),
        sa.PrimaryKeyConstraint("round_id", "segment_id", "subject", "author_id", name="pk_tally"),
    )
    op.create_index("ix_tally_author_id_round_id", "tally", ["author_id", "round_id"])
    op.create_table(
        "history",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("bucket_start", sa.DateTime(timezone=True), nullable=False),
        sa.Column("decided", sa.Integer, nullable=False),
        sa.Column("fooled", sa.Integer, nullable=False),
        sa.Column("errors", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("round_id", "bucket_start", name="pk_history"),
    )
    op.create_table(
        "fooling_pattern",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("segment_id", sa.Uuid, nullable=False),
        sa.Column("answered", sa.Text, nullable=False),
        sa.Column("fooled", sa.Text, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("validated", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("round_id", "segment_id", "answered", "fooled", name="pk_fooling_pattern"),
    )
    op.create_table(
        "condition_tally",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("condition", sa.Text, nullable=False),
        sa.Column("author_id", sa.Uuid, nullable=False),
        *(
            sa.Column(name, sa.Integer, nullable=False)
            for name in ("tries", "decided", "fooled", "errors", "apart_errors")
        ),
        sa.PrimaryKeyConstraint("round_id", "condition", "author_id", name="pk_condition_tally"),
    )


def downgrade() -> None:
    for table in ("condition_tally", "fooling_pattern", "history", "tally"):
        op.drop_table(table)
