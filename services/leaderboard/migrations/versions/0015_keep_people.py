"""Keep what boards of people and badges follow from. Read models of the new shape are built beside those that stand.

Revision ID: 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

MOMENT = sa.DateTime(timezone=True)
PERSON = ("tries", "decided", "fooled", "retracted", "errors")
PERSON_TRY = ("tries", "decided", "retracted", "kept", "errors")


def upgrade() -> None:
    """Create the tables and add the columns."""
    op.create_table(
        "person_tally",
        sa.Column("scope_id", sa.Uuid, nullable=False),
        sa.Column("person_id", sa.Uuid, nullable=False),
        *_counts(PERSON),
        sa.PrimaryKeyConstraint("scope_id", "person_id", name="pk_person_tally"),
    )
    order = ["scope_id", sa.text("errors DESC"), "decided", "person_id"]
    op.create_index("ix_person_tally_board", "person_tally", order)
    keys = ("person_id", "task_id", "created_at", "example_id", "round_id")
    op.create_table(
        "person_try",
        *(sa.Column(name, MOMENT if name == "created_at" else sa.Uuid, nullable=False) for name in keys),
        *_counts(PERSON_TRY),
        sa.PrimaryKeyConstraint(*keys, name="pk_person_try"),
    )
    op.create_table(
        "person_week",
        sa.Column("task_id", sa.Uuid, nullable=False),
        sa.Column("week", sa.Text, nullable=False),
        sa.Column("person_id", sa.Uuid, nullable=False),
        *_counts(("errors",)),
        sa.PrimaryKeyConstraint("task_id", "week", "person_id", name="pk_person_week"),
    )
    op.create_index("ix_person_week_errors", "person_week", ["task_id", "week", "errors"])
    op.create_index("ix_person_week_person_id", "person_week", ["person_id"])
    op.add_column("example", sa.Column("from_elsewhere", sa.Boolean))
    op.add_column("vote", sa.Column("voter_id", sa.Uuid))
    op.add_column("vote", sa.Column("cast_at", MOMENT))
    op.add_column("submission", sa.Column("published_at", MOMENT))
    for table, name, expression in INDEXES:
        op.execute(
            f"-- squawk-ignore require-concurrent-index-creation\nCREATE INDEX {name} ON {table} ({expression})"
        )


INDEXES = (
    ("vote", "ix_vote_voter_id", "voter_id, cast_at"),
    ("submission", "ix_submission_submitted_by", "submitted_by"),
    ("score", "ix_score_submitted_by", "(model ->> 'submitted_by')"),
    ("score", "ix_score_dataset_id", "(dataset ->> 'dataset_id')"),
)


def downgrade() -> None:
    """Drop them."""
    for _, name, _ in INDEXES:
        op.execute(f"-- squawk-ignore require-concurrent-index-deletion\nDROP INDEX {name}")
    op.drop_column("submission", "published_at")
    op.drop_column("vote", "cast_at")
    op.drop_column("vote", "voter_id")
    op.drop_column("example", "from_elsewhere")
    for name in ("person_week", "person_try", "person_tally"):
        op.drop_table(name)


def _counts(names: tuple[str, ...]) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer, nullable=False) for name in names]
