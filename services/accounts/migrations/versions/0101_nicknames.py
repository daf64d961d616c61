"""Create the tables of nicknames and of their reports.

Revision ID: 0101
"""

from alembic import op

revision = "0101"
down_revision = "0100"

SCHEMA = """
CREATE TABLE nickname (
    person_id uuid NOT NULL,
    text text NOT NULL,
    look text NOT NULL,
    chosen_at timestamptz NOT NULL,
    hidden_reason text NOT NULL,
    CONSTRAINT pk_nickname PRIMARY KEY (person_id),
    CONSTRAINT uq_nickname_look UNIQUE (look),
    CONSTRAINT fk_nickname_person_id_person FOREIGN KEY (person_id) REFERENCES person (person_id) ON DELETE CASCADE
);

CREATE TABLE hidden_look (
    look text NOT NULL,
    reason text NOT NULL,
    CONSTRAINT pk_hidden_look PRIMARY KEY (look)
);

CREATE TABLE nickname_report (
    person_id uuid NOT NULL,
    reporter_id uuid NOT NULL,
    reason text NOT NULL,
    reported_at timestamptz NOT NULL,
    CONSTRAINT pk_nickname_report PRIMARY KEY (person_id, reporter_id),
    CONSTRAINT fk_nickname_report_person_id_nickname FOREIGN KEY (person_id) REFERENCES nickname (person_id)
        ON DELETE CASCADE
);
"""


def upgrade() -> None:
    """Create the tables."""
    op.execute(SCHEMA)


def downgrade() -> None:
    """Remove the tables."""
    op.execute("DROP TABLE nickname_report, hidden_look, nickname")
