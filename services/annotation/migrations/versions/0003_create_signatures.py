"""Find texts that are nearly the same: the MinHash bands of each example.

Revision ID: 0003
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "example_signature",
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("bands", ARRAY(sa.BigInteger), nullable=False),
        sa.PrimaryKeyConstraint("example_id", name="pk_example_signature"),
        sa.ForeignKeyConstraint(
            ["example_id"], ["example.example_id"], name="fk_example_signature_example_id_example"
        ),
    )
    op.create_index(
        "ix_example_signature_bands",
        "example_signature",
        ["bands"],
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
    )


def downgrade() -> None:
    op.drop_table("example_signature")
