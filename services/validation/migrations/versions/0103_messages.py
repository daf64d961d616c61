"""Keep the messages of authors and owners about examples.

Revision ID: 0103
"""

from alembic import op

revision = "0103"
down_revision = "0102"

SCHEMA = """
CREATE TABLE example_message (
    message_id uuid NOT NULL,
    example_id uuid NOT NULL,
    writer_id uuid NOT NULL,
    by_author boolean NOT NULL,
    text text NOT NULL,
    written_at timestamptz NOT NULL,
    CONSTRAINT pk_example_message PRIMARY KEY (message_id),
    CONSTRAINT fk_example_message_example_id_example_validation FOREIGN KEY (example_id)
        REFERENCES example_validation (example_id)
);
CREATE INDEX ix_example_message_example_id ON example_message (example_id, message_id);

CREATE TABLE example_question (
    example_id uuid NOT NULL,
    round_id uuid NOT NULL,
    asked_at timestamptz NOT NULL,
    CONSTRAINT pk_example_question PRIMARY KEY (example_id),
    CONSTRAINT fk_example_question_example_id_example_validation FOREIGN KEY (example_id)
        REFERENCES example_validation (example_id)
);
CREATE INDEX ix_example_question_round_id ON example_question (round_id);
"""


def upgrade() -> None:
    """Create the tables: messages, and questions without an answer."""
    op.execute(SCHEMA)


def downgrade() -> None:
    """Remove them."""
    op.execute("DROP TABLE example_message, example_question")
