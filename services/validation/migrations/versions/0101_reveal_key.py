"""Draw the examples whose voters read the models' answers by a secret of this database.

Revision ID: 0101
"""

from alembic import op

revision = "0101"
down_revision = "0100"

SCHEMA = """
CREATE TABLE reveal_key (
    key uuid NOT NULL,
    CONSTRAINT pk_reveal_key PRIMARY KEY (key)
);

INSERT INTO reveal_key VALUES (gen_random_uuid());
"""


def upgrade() -> None:
    """Create the table and its row."""
    op.execute(SCHEMA)


def downgrade() -> None:
    """Remove the table."""
    op.execute("DROP TABLE reveal_key")
