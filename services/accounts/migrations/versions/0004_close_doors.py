"""Find what ended lately, and let mail addresses repeat: a refusal told strangers who has an account.

Revision ID: 0004
"""

from alembic import op
from dynabench_common.plumbing import SHORT_LOCK

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    for table, column in (("session", "ended_at"), ("api_token", "revoked_at")):
        op.execute(
            f"{SHORT_LOCK}CREATE INDEX ix_{table}_{column} ON {table} ({column}) WHERE {column} IS NOT NULL"
        )
    op.execute("-- squawk-ignore ban-drop-constraint\nALTER TABLE person DROP CONSTRAINT uq_person_email_key")


def downgrade() -> None:
    op.execute(f"{SHORT_LOCK}ALTER TABLE person ADD CONSTRAINT uq_person_email_key UNIQUE (email_key)")
    for table, column in (("api_token", "revoked_at"), ("session", "ended_at")):
        op.drop_index(f"ix_{table}_{column}", table)
