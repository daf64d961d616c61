"""Drop the sums that no running version reads or writes: a history without authors, and tallies of conditions.

Revision ID: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

HISTORY = ("decided", "fooled", "errors")
TALLY = ("tries", "decided", "fooled", "errors", "apart_errors")


def upgrade() -> None:
    op.execute("-- squawk-ignore ban-drop-table\nDROP TABLE history")
    op.execute("-- squawk-ignore ban-drop-table\nDROP TABLE condition_tally")


def downgrade() -> None:
    op.create_table(
        "history",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("bucket_start", sa.DateTime(timezone=True), nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in HISTORY),
        sa.PrimaryKeyConstraint("round_id", "bucket_start", name="pk_history"),
    )
    op.create_table(
        "condition_tally",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("condition", sa.Text, nullable=False),
        sa.Column("author_id", sa.Uuid, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in TALLY),
        sa.PrimaryKeyConstraint("round_id", "condition", "author_id", name="pk_condition_tally"),
    )
