"""Keep the work that owners assign to people.

Revision ID: 0102
"""

from alembic import op

revision = "0102"
down_revision = "0101"

SCHEMA = """
CREATE TABLE work_order (
    order_id uuid NOT NULL,
    round_id uuid NOT NULL,
    person_id uuid NOT NULL,
    name text NOT NULL,
    activity text NOT NULL,
    topic text NOT NULL,
    context_ids uuid[] NOT NULL,
    units integer NOT NULL,
    due_on date NOT NULL,
    assigned_at timestamptz NOT NULL,
    ended_at timestamptz,
    CONSTRAINT pk_work_order PRIMARY KEY (order_id),
    CONSTRAINT fk_work_order_round_id_round FOREIGN KEY (round_id) REFERENCES round (round_id)
);
CREATE UNIQUE INDEX ix_work_order_open ON work_order (person_id, round_id, activity) WHERE ended_at IS NULL;
CREATE INDEX ix_work_order_round ON work_order (round_id, order_id) WHERE ended_at IS NULL;
"""


def upgrade() -> None:
    """Create the table."""
    op.execute(SCHEMA)


def downgrade() -> None:
    """Remove the table."""
    op.execute("DROP TABLE work_order")
