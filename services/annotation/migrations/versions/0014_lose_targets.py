"""Keep which targets have stopped answering, and which rounds lost one.

Revision ID: 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision: str | None = "0013"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "lost_target",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("lost_at", MOMENT, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("paused", sa.Boolean, nullable=False),
        sa.Column("failing_since", MOMENT, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("round_id", "lost_at", "target", name="pk_lost_target"),
        sa.ForeignKeyConstraint(["round_id"], ["round.round_id"], name="fk_lost_target_round_id_round"),
    )
    op.create_table(
        "target_outage",
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("since", MOMENT),
        sa.Column("reason", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("target", name="pk_target_outage"),
    )


def downgrade() -> None:
    op.drop_table("target_outage")
    op.drop_table("lost_target")
