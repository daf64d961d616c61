"""Links that work once, mails to send, and people who are disabled.

Revision ID: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("person", sa.Column("disabled_at", sa.DateTime(timezone=True)))
    op.add_column("person", sa.Column("disabled_by", sa.Uuid))
    op.add_column("person", sa.Column("disabled_reason", sa.Text))
    op.execute(
        "-- squawk-ignore require-concurrent-index-creation\n"
        "CREATE INDEX ix_person_email_key ON person (email_key, person_id)"
    )
    op.create_table(
        "link",
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("email", sa.Text, nullable=False),
        sa.Column("issued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("digest", name="pk_link"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.person_id"], name="fk_link_person_id_person", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_link_person_id", "link", ["person_id", "issued_at"])
    op.create_index("ix_link_expires_at", "link", ["expires_at"])
    op.create_table(
        "mail",
        sa.Column("mail_id", sa.Uuid, nullable=False),
        sa.Column("recipient", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("body", sa.Text),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("trouble", sa.Text),
        sa.Column("sent_at", sa.DateTime(timezone=True)),
        sa.Column("given_up_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("mail_id", name="pk_mail"),
    )
    op.create_index("ix_mail_due_at", "mail", ["due_at"], postgresql_where=sa.text("body IS NOT NULL"))
    op.create_index("ix_mail_written_at", "mail", ["written_at"])


def downgrade() -> None:
    for table in ("mail", "link"):
        op.drop_table(table)
    op.drop_index("ix_person_email_key", "person")
    for column in ("disabled_reason", "disabled_by", "disabled_at"):
        op.drop_column("person", column)
