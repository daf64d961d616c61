"""Create people, sessions, API tokens, failed sign-ins and the outbox.

Revision ID: 0001
"""

import sqlalchemy as sa
from alembic import op
from dynabench_common import plumbing
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0001"
down_revision: str | None = None


def upgrade() -> None:
    plumbing.create_outbox(op)
    op.create_table(
        "person",
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("user_name", sa.Text, nullable=False),
        sa.Column("email", sa.Text, nullable=False),
        sa.Column("email_key", sa.Text, nullable=False),
        sa.Column("password_hash", sa.Text, nullable=False),
        sa.Column("roles", ARRAY(sa.Text), nullable=False),
        sa.Column("cohort", sa.Text, nullable=False),
        sa.Column("registered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("person_id", name="pk_person"),
        sa.UniqueConstraint("user_name", name="uq_person_user_name"),
        sa.UniqueConstraint("email_key", name="uq_person_email_key"),
    )
    op.create_index("ix_person_roles", "person", ["roles"], postgresql_using="gin")
    create_sessions()
    create_tokens()


def create_sessions() -> None:
    op.create_table(
        "session",
        sa.Column("session_id", sa.Uuid, nullable=False),
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("session_id", name="pk_session"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.person_id"], name="fk_session_person_id_person", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_session_person_id", "session", ["person_id"])
    op.create_index("ix_session_expires_at", "session", ["expires_at"])
    op.create_table(
        "refresh_token",
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("session_id", sa.Uuid, nullable=False),
        sa.Column("issued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("replaced_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("digest", name="pk_refresh_token"),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["session.session_id"],
            name="fk_refresh_token_session_id_session",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_refresh_token_session_id", "refresh_token", ["session_id"])
    op.create_table(
        "sign_in_failure",
        sa.Column("user_name", sa.Text, nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("user_name", name="pk_sign_in_failure"),
    )
    op.create_index("ix_sign_in_failure_since", "sign_in_failure", ["since"])


def create_tokens() -> None:
    op.create_table(
        "api_token",
        sa.Column("token_id", sa.Uuid, nullable=False),
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True)),
        sa.Column("revoked_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("token_id", name="pk_api_token"),
        sa.UniqueConstraint("digest", name="uq_api_token_digest"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.person_id"], name="fk_api_token_person_id_person", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_api_token_person_id_token_id", "api_token", ["person_id", "token_id"])


def downgrade() -> None:
    for table in ("api_token", "sign_in_failure", "refresh_token", "session", "person", "outbox"):
        op.drop_table(table)
