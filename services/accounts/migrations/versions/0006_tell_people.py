"""Tell people what became of their work: notices, what they are made of, and how people want them.

Revision ID: 0006
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("person", sa.Column("email_confirmed_at", MOMENT))
    op.add_column("mail", sa.Column("unsubscribe", sa.Text))
    _create_sources()
    _create_examples()
    _create_notices()
    op.execute("INSERT INTO notice_start (started_at) VALUES (now())")


def _create_sources() -> None:
    op.create_table("notice_start", sa.Column("started_at", MOMENT, nullable=False))
    op.create_table(
        "notice_task",
        sa.Column("task_id", sa.Uuid, nullable=False),
        sa.Column("slug", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("goal", sa.Integer),
        sa.PrimaryKeyConstraint("task_id", name="pk_notice_task"),
    )
    op.create_index("ix_notice_task_slug", "notice_task", ["slug"])
    op.create_table(
        "notice_round",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("task_id", sa.Uuid),
        sa.Column("number", sa.Integer),
        sa.Column("is_written_here", sa.Boolean),
        sa.Column("opened_at", MOMENT),
        sa.Column("opened_by", sa.Uuid),
        sa.Column("released_at", MOMENT),
        sa.Column("is_opening_told", sa.Boolean, nullable=False),
        sa.Column("is_release_told", sa.Boolean, nullable=False),
        sa.Column("was_below_goal", sa.Boolean, nullable=False),
        sa.Column("is_goal_told", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("round_id", name="pk_notice_round"),
    )
    op.create_index("ix_notice_round_task_id", "notice_round", ["task_id"])
    op.create_table(
        "notice_participant",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.PrimaryKeyConstraint("round_id", "person_id", name="pk_notice_participant"),
    )


def _create_examples() -> None:
    op.create_table(
        "notice_example",
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("author_id", sa.Uuid),
        sa.Column("is_retracted", sa.Boolean, nullable=False),
        sa.Column("resolution_version", sa.Integer, nullable=False),
        sa.Column("resolution", sa.Text),
        sa.Column("is_adjudicated", sa.Boolean, nullable=False),
        sa.Column("resolved_at", MOMENT),
        sa.Column("appealed_version", sa.Integer, nullable=False),
        sa.Column("appealed_at", MOMENT),
        sa.Column("requeued_version", sa.Integer, nullable=False),
        sa.Column("requeued_at", MOMENT),
        sa.Column("told_kind", sa.Text),
        sa.Column("told_outcome", sa.Text),
        sa.Column("notice_id", sa.Uuid),
        sa.Column("waits_for", sa.Text),
        sa.Column("waits_since", MOMENT),
        sa.PrimaryKeyConstraint("example_id", name="pk_notice_example"),
    )
    op.create_index(
        "ix_notice_example_waiting",
        "notice_example",
        ["round_id"],
        postgresql_where=sa.text("waits_for IS NOT NULL"),
    )
    op.create_index(
        "ix_notice_example_unknown",
        "notice_example",
        ["resolved_at"],
        postgresql_where=sa.text("author_id IS NULL"),
    )


def _create_notices() -> None:
    op.execute("CREATE SEQUENCE notice_position")
    op.create_table(
        "notice",
        sa.Column("notice_id", sa.Uuid, nullable=False),
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("round_id", sa.Uuid),
        sa.Column("task_slug", sa.Text),
        sa.Column("counts", sa.JSON, nullable=False),
        sa.Column("began_at", MOMENT, nullable=False),
        sa.Column("happened_at", MOMENT, nullable=False),
        sa.Column("written_at", MOMENT, nullable=False),
        sa.Column("read_at", MOMENT),
        sa.Column("mailed_at", MOMENT),
        sa.PrimaryKeyConstraint("notice_id", name="pk_notice"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.person_id"], name="fk_notice_person_id_person", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_notice_person_id_position", "notice", ["person_id", "position"])
    op.create_index(
        "ix_notice_unread",
        "notice",
        ["person_id", "written_at"],
        postgresql_where=sa.text("read_at IS NULL"),
    )
    op.create_index("ix_notice_round_id", "notice", ["round_id", "kind"])
    op.create_index("ix_notice_written_at", "notice", ["written_at"])
    op.create_table(
        "notice_setting",
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("mail", sa.Text, nullable=False),
        sa.Column("not_on_page", sa.ARRAY(sa.Text), nullable=False),
        sa.Column("not_by_mail", sa.ARRAY(sa.Text), nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("mailed_at", MOMENT),
        sa.PrimaryKeyConstraint("person_id", name="pk_notice_setting"),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.person_id"],
            name="fk_notice_setting_person_id_person",
            ondelete="CASCADE",
        ),
    )


def downgrade() -> None:
    for table in (
        *("notice_setting", "notice", "notice_example", "notice_participant", "notice_round"),
        *("notice_task", "notice_start"),
    ):
        op.drop_table(table)
    op.execute("DROP SEQUENCE notice_position")
    op.drop_column("mail", "unsubscribe")
    op.drop_column("person", "email_confirmed_at")
