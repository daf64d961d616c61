"""Keep the examples that owners assigned to people to check.

Revision ID: 0104
"""

from alembic import op

revision = "0104"
down_revision = "0103"

SCHEMA = """
CREATE TABLE assigned_checks (
    order_id uuid NOT NULL,
    assigned_version integer,
    round_id uuid,
    person_id uuid,
    example_ids uuid[],
    units integer,
    assigned_at timestamptz,
    ended_version integer,
    CONSTRAINT pk_assigned_checks PRIMARY KEY (order_id)
);
CREATE INDEX ix_assigned_checks_person_id ON assigned_checks (person_id, round_id);
"""


def upgrade() -> None:
    """Create the table."""
    op.execute(SCHEMA)


def downgrade() -> None:
    """Remove the table."""
    op.execute("DROP TABLE assigned_checks")
