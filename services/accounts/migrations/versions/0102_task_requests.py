"""Create the table of requests for the right to start a task.

Revision ID: 0102
"""

from alembic import op

revision = "0102"
down_revision = "0101"

SCHEMA = """
CREATE TABLE task_request (
    person_id uuid NOT NULL,
    task_slug text NOT NULL,
    reason text NOT NULL,
    asked_at timestamptz NOT NULL,
    state text NOT NULL,
    answer text NOT NULL,
    CONSTRAINT pk_task_request PRIMARY KEY (person_id),
    CONSTRAINT fk_task_request_person_id_person FOREIGN KEY (person_id) REFERENCES person (person_id)
        ON DELETE CASCADE
);

CREATE INDEX ix_task_request_asked_at ON task_request (asked_at) WHERE state = 'open';
"""


def upgrade() -> None:
    """Create the table."""
    op.execute(SCHEMA)


def downgrade() -> None:
    """Remove the table."""
    op.execute("DROP TABLE task_request")
