"""Take in rounds collected elsewhere: where a round's examples come from, and which record became which example.

Revision ID: 0006
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("task", sa.Column("pseudonym_key", sa.LargeBinary))
    for name in ("origin", "source"):
        op.add_column("round", sa.Column(name, sa.Text, nullable=False, server_default=""))
    op.create_table(
        "imported_record",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("source_id", sa.Text, nullable=False),
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("round_id", "source_id", name="pk_imported_record"),
        sa.ForeignKeyConstraint(["round_id"], ["round.round_id"], name="fk_imported_record_round_id_round"),
        sa.ForeignKeyConstraint(
            ["example_id"], ["example.example_id"], name="fk_imported_record_example_id_example"
        ),
        sa.UniqueConstraint("example_id", name="uq_imported_record_example_id"),
    )


def downgrade() -> None:
    op.drop_table("imported_record")
    for name in ("source", "origin"):
        op.drop_column("round", name)
    op.drop_column("task", "pseudonym_key")
