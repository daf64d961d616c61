"""Keep who has completed the onboarding of a task.

Revision ID: 0101
"""

from alembic import op

revision = "0101"
down_revision = "0100"

SCHEMA = """
CREATE TABLE onboarding_confirmation (
    task_id uuid NOT NULL,
    guidelines_version integer NOT NULL,
    consent_version integer NOT NULL,
    person_id uuid NOT NULL,
    confirmed_at timestamptz NOT NULL,
    CONSTRAINT pk_onboarding_confirmation PRIMARY KEY (task_id, guidelines_version, consent_version, person_id)
);

CREATE TABLE quiz_attempt (
    attempt_id uuid NOT NULL,
    task_id uuid NOT NULL,
    guidelines_version integer NOT NULL,
    person_id uuid NOT NULL,
    questions jsonb NOT NULL,
    right_answers integer NOT NULL,
    started_at timestamptz NOT NULL,
    finished_at timestamptz,
    passed boolean,
    CONSTRAINT pk_quiz_attempt PRIMARY KEY (attempt_id)
);
CREATE INDEX ix_quiz_attempt_person ON quiz_attempt (task_id, guidelines_version, person_id);
"""


def upgrade() -> None:
    """Create the tables."""
    op.execute(SCHEMA)


def downgrade() -> None:
    """Remove the tables."""
    op.execute("DROP TABLE quiz_attempt, onboarding_confirmation")
