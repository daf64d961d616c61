"""Create what validation owns: the state of each example, votes and skips."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the tables with the index that the queue is read by."""
    op.create_table(
        "example_validation",
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("author_id", sa.Uuid, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("wanted", sa.Boolean, nullable=False),
        sa.Column("priority", sa.SmallInteger, nullable=False),
        sa.Column("retracted", sa.Boolean, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("votes_counted", sa.Integer, nullable=False),
        sa.Column("possible_slots", sa.Integer, nullable=False),
        sa.Column("certain_slots", sa.Integer, nullable=False),
        sa.Column("resolution", sa.Text),
        sa.Column("agreed_option", sa.Text),
        sa.Column("golds", JSONB),
        sa.Column("resolved_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("example_id", name="pk_example_validation"),
    )
    op.create_index(
        "ix_example_validation_pending",
        "example_validation",
        ["round_id", "priority", "votes_counted", "created_at", "example_id"],
        postgresql_where=sa.text("wanted AND retracted IS false AND resolution IS NULL"),
    )
    op.create_index("ix_example_validation_round_id", "example_validation", ["round_id"])
    op.create_table(
        "vote",
        sa.Column("vote_id", sa.Uuid, nullable=False),
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("voter_id", sa.Uuid, nullable=False),
        sa.Column("lease_id", sa.Uuid, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("option", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("counted", sa.Boolean, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("cast_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("agrees", sa.Boolean),
        sa.Column("judged_at", sa.DateTime(timezone=True)),
        sa.Column("metadata", JSONB, nullable=False, server_default="{}"),
        sa.PrimaryKeyConstraint("vote_id", name="pk_vote"),
        sa.UniqueConstraint("example_id", "voter_id", name="uq_vote_example_id_voter_id"),
        sa.UniqueConstraint("lease_id", name="uq_vote_lease_id"),
        sa.ForeignKeyConstraint(
            ["example_id"], ["example_validation.example_id"], name="fk_vote_example_id_example_validation"
        ),
    )
    op.create_index("ix_vote_voter_id_cast_at", "vote", ["voter_id", "cast_at"])
    op.create_table(
        "skip",
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("skipped_on", sa.Date, nullable=False),
        sa.PrimaryKeyConstraint("example_id", "person_id", name="pk_skip"),
    )


def downgrade() -> None:
    """Drop them."""
    for table in ("skip", "vote", "example_validation"):
        op.drop_table(table)
