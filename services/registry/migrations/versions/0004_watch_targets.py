"""Remember which targets of open rounds do not answer, and since when.

Revision ID: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision: str | None = "0003"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "target_outage",
        sa.Column("serving_name", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("since", MOMENT),
        sa.Column("looked_at", MOMENT),
        sa.Column("told_at", MOMENT),
        sa.PrimaryKeyConstraint("serving_name", name="pk_target_outage"),
    )


def downgrade() -> None:
    op.drop_table("target_outage")
