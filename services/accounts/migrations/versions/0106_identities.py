"""Create the table of people's identities at issuers of sign-ins.

Revision ID: 0106
"""

from alembic import op

revision = "0106"
down_revision = "0105"

SCHEMA = """
CREATE TABLE identity (
    issuer text NOT NULL,
    subject text NOT NULL,
    person_id uuid NOT NULL,
    roles text[] NOT NULL,
    linked_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL,
    CONSTRAINT pk_identity PRIMARY KEY (issuer, subject),
    CONSTRAINT fk_identity_person_id_person FOREIGN KEY (person_id) REFERENCES person (person_id) ON DELETE CASCADE
);
CREATE INDEX ix_identity_person_id ON identity (person_id);
"""


def upgrade() -> None:
    """Create the table."""
    op.execute(SCHEMA)


def downgrade() -> None:
    """Remove the table."""
    op.execute("DROP TABLE identity")
