"""Add what signs of unfair work follow from, and owners' decisions on them.

Revision ID: 0101
"""

from alembic import op

revision = "0101"
down_revision = "0100"

SCHEMA = """
ALTER TABLE example ADD COLUMN pasted_characters bigint, ADD COLUMN bands bigint[];
ALTER TABLE vote ADD COLUMN example_id uuid, ADD COLUMN answer text;

CREATE TABLE entry_address (
    assignment_id uuid NOT NULL,
    address bytea NOT NULL,
    seen_at timestamptz NOT NULL,
    CONSTRAINT pk_entry_address PRIMARY KEY (assignment_id, address),
    CONSTRAINT fk_entry_address_assignment_id_assignment
        FOREIGN KEY (assignment_id) REFERENCES assignment(assignment_id)
);
CREATE INDEX ix_entry_address_seen_at ON entry_address (seen_at);

CREATE TABLE review (
    assignment_id uuid NOT NULL,
    decision text NOT NULL,
    reason text NOT NULL,
    decided_at timestamptz NOT NULL,
    appeal text,
    appealed_at timestamptz,
    answer text,
    answered_at timestamptz,
    CONSTRAINT pk_review PRIMARY KEY (assignment_id),
    CONSTRAINT fk_review_assignment_id_assignment
        FOREIGN KEY (assignment_id) REFERENCES assignment(assignment_id)
);
"""


def upgrade() -> None:
    """Add the columns and tables."""
    op.execute(SCHEMA)


def downgrade() -> None:
    """Remove them."""
    op.execute("DROP TABLE review, entry_address")
    op.execute("ALTER TABLE example DROP COLUMN pasted_characters, DROP COLUMN bands")
    op.execute("ALTER TABLE vote DROP COLUMN example_id, DROP COLUMN answer")
