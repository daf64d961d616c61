"""Keep sums that figures of agreement are read from, and what the votes of a round say of truth and voters.

Examples that have votes are noted as changed, so that the worker counts them.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0006"
down_revision = "0005"

TIME = sa.DateTime(timezone=True)
VOTED_ON = """
INSERT INTO agreement_change (round_id, example_id)
SELECT round_id, example_id FROM example_validation WHERE votes_counted > 0
"""


def upgrade() -> None:
    """Create the tables with the indexes that they are read by."""
    _create_sums()
    _create_evidence()
    op.execute(VOTED_ON)


def _create_sums() -> None:
    op.create_table(
        "agreement_change",
        sa.Column("change_id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.PrimaryKeyConstraint("change_id", name="pk_agreement_change"),
    )
    op.create_index("ix_agreement_change_round_id", "agreement_change", ["round_id"])
    op.create_table(
        "agreement_share",
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("groups", JSONB, nullable=False),
        sa.Column("sums", JSONB, nullable=False),
        sa.Column("voters", JSONB, nullable=False),
        sa.PrimaryKeyConstraint("example_id", name="pk_agreement_share"),
    )
    op.create_table(
        "agreement_sum",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("group_kind", sa.Text, nullable=False),
        sa.Column("group_name", sa.Text, nullable=False),
        sa.Column("measure", sa.Text, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("option", sa.Text, nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint(
            "round_id", "group_kind", "group_name", "measure", "size", "option", name="pk_agreement_sum"
        ),
    )
    op.create_table(
        "agreement_voter",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("group_kind", sa.Text, nullable=False),
        sa.Column("group_name", sa.Text, nullable=False),
        sa.Column("voter_id", sa.Uuid, nullable=False),
        sa.Column("votes", sa.Integer, nullable=False),
        sa.Column("compared", sa.Integer, nullable=False),
        sa.Column("same", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint(
            "round_id", "group_kind", "group_name", "voter_id", name="pk_agreement_voter"
        ),
    )


def _create_evidence() -> None:
    op.create_table(
        "posterior",
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("p", sa.Double, nullable=False),
        sa.Column("computed_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("example_id", name="pk_posterior"),
    )
    op.create_index("ix_posterior_round_id_p", "posterior", ["round_id", "p"])
    op.create_table(
        "voter_confusion",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("voter_id", sa.Uuid, nullable=False),
        sa.Column("votes", sa.Integer, nullable=False),
        sa.Column("errors", sa.Double, nullable=False),
        sa.Column("confusion", JSONB, nullable=False),
        sa.PrimaryKeyConstraint("round_id", "voter_id", name="pk_voter_confusion"),
    )
    op.create_table(
        "agreeing_pair",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("a", sa.Uuid, nullable=False),
        sa.Column("b", sa.Uuid, nullable=False),
        sa.Column("examples", sa.Integer, nullable=False),
        sa.Column("agreed", sa.Integer, nullable=False),
        sa.Column("expected", sa.Double, nullable=False),
        sa.Column("p_adjusted", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("round_id", "a", "b", name="pk_agreeing_pair"),
    )
    op.create_table(
        "round_evidence",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("changed_at", TIME),
        sa.Column("computed_at", TIME),
        sa.Column("seconds", sa.Double, nullable=False, server_default="0"),
        sa.Column("model", JSONB),
        sa.Column("reason", sa.Text),
        sa.PrimaryKeyConstraint("round_id", name="pk_round_evidence"),
    )
    op.create_index(
        "ix_round_evidence_changed_at",
        "round_evidence",
        ["changed_at"],
        postgresql_where=sa.text("changed_at IS NOT NULL"),
    )


def downgrade() -> None:
    """Drop them."""
    for table in ("round_evidence", "agreeing_pair", "voter_confusion", "posterior"):
        op.drop_table(table)
    for table in ("agreement_voter", "agreement_sum", "agreement_share", "agreement_change"):
        op.drop_table(table)
