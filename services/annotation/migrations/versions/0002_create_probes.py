"""Count what people ask targets beside their tries.

Revision ID: 0002
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "probe",
        sa.Column("probe_id", sa.Uuid, nullable=False),
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("targets", ARRAY(sa.Text), nullable=False),
        sa.Column("probed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("probe_id", name="pk_probe"),
        sa.ForeignKeyConstraint(["round_id"], ["round.round_id"], name="fk_probe_round_id_round"),
    )
    op.create_index("ix_probe_round_id_person_id", "probe", ["round_id", "person_id"])


def downgrade() -> None:
    op.drop_table("probe")
