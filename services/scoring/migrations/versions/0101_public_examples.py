"""Add confirmed errors that people may read, reports about them, and hidden examples.

Revision ID: 0101
"""

from alembic import op

revision = "0101"
down_revision = "0100"

ADDED = """
ALTER TABLE example ADD COLUMN appealed_version integer;

CREATE TABLE confirmed_error (
    example_id uuid NOT NULL,
    target text NOT NULL,
    round_id uuid NOT NULL,
    resolved_at timestamptz NOT NULL,
    merit double precision NOT NULL,
    CONSTRAINT pk_confirmed_error PRIMARY KEY (example_id, target)
);
CREATE INDEX ix_confirmed_error_newest ON confirmed_error (round_id, target, resolved_at, example_id);
CREATE INDEX ix_confirmed_error_best ON confirmed_error (round_id, target, merit, example_id);

CREATE TABLE unjudged_example (
    example_id uuid NOT NULL,
    task_id uuid NOT NULL,
    configuration_version integer NOT NULL,
    CONSTRAINT pk_unjudged_example PRIMARY KEY (example_id)
);
CREATE INDEX ix_unjudged_example_task_id ON unjudged_example (task_id, configuration_version);

CREATE TABLE released_error (
    example_id uuid NOT NULL,
    round_id uuid NOT NULL,
    CONSTRAINT pk_released_error PRIMARY KEY (example_id)
);

CREATE TABLE hidden_example (
    example_id uuid NOT NULL,
    by_author boolean NOT NULL,
    round_id uuid NOT NULL,
    hidden_by uuid NOT NULL,
    hidden_at timestamptz NOT NULL,
    reason text NOT NULL,
    CONSTRAINT pk_hidden_example PRIMARY KEY (example_id, by_author)
);
CREATE INDEX ix_hidden_example_round_id ON hidden_example (round_id);

CREATE TABLE example_report (
    report_id uuid NOT NULL,
    example_id uuid NOT NULL,
    task_id uuid NOT NULL,
    reported_by uuid NOT NULL,
    reported_at timestamptz NOT NULL,
    reason text NOT NULL,
    closed_at timestamptz,
    closed_by uuid,
    decision text,
    decision_reason text,
    CONSTRAINT pk_example_report PRIMARY KEY (report_id)
);
CREATE UNIQUE INDEX uq_example_report_open ON example_report (example_id, reported_by)
    WHERE (closed_at IS NULL);
CREATE INDEX ix_example_report_open ON example_report (task_id, example_id) WHERE (closed_at IS NULL);
CREATE INDEX ix_example_report_reported_by ON example_report (reported_by, reported_at);

-- Rounds that were released before: the validated errors that their targets were asked about again.
INSERT INTO released_error (example_id, round_id)
SELECT DISTINCT repeated_error.example_id, repeated_error.round_id
FROM repeated_error JOIN dataset ON dataset.round_id = repeated_error.round_id;
"""


def upgrade() -> None:
    """Add the tables; `scoring rebuild` fills `confirmed_error` for older events."""
    op.execute(ADDED)


def downgrade() -> None:
    """Drop them."""
    for table in (
        "example_report",
        "hidden_example",
        "released_error",
        "unjudged_example",
        "confirmed_error",
    ):
        op.execute(f"DROP TABLE {table}")
    op.execute("ALTER TABLE example DROP COLUMN appealed_version")
