"""The tables of notices: their sources, the notices themselves, and people's settings."""

from datetime import datetime, timedelta

from sqlalchemy import (
    ARRAY,
    JSON,
    BigInteger,
    Boolean,
    Column,
    Connection,
    Date,
    ForeignKey,
    Index,
    Integer,
    Sequence,
    Table,
    Text,
    Uuid,
    delete,
)

from accounts.database import MOMENT, metadata
from accounts.notifications.domain.notices import STALE_AFTER

KEEP_NOTICES = timedelta(days=180)

notice_start = Table("notice_start", metadata, Column("started_at", MOMENT, nullable=False))
"""One row: the start of notices. Earlier events cause no notice."""

notice_task = Table(
    "notice_task",
    metadata,
    Column("task_id", Uuid, primary_key=True),
    Column("slug", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("goal", Integer),
    Column("is_private", Boolean, nullable=False, server_default="false"),
)
"""`goal` is how many validated errors a round of the task is to bring, if its owner set a number."""
Index("ix_notice_task_slug", notice_task.c.slug)

notice_round = Table(
    "notice_round",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("task_id", Uuid),
    Column("number", Integer),
    Column("is_written_here", Boolean),
    Column("opened_at", MOMENT),
    Column("opened_by", Uuid),
    Column("released_at", MOMENT),
    Column("is_opening_told", Boolean, nullable=False),
    Column("is_release_told", Boolean, nullable=False),
    Column("was_below_goal", Boolean, nullable=False),
    Column("is_goal_told", Boolean, nullable=False),
)
Index("ix_notice_round_task_id", notice_round.c.task_id)

notice_participant = Table(
    "notice_participant",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("person_id", Uuid, primary_key=True),
)
"""People of this platform who wrote or voted in a round."""

notice_example = Table(
    "notice_example",
    metadata,
    Column("example_id", Uuid, primary_key=True),
    Column("round_id", Uuid, nullable=False),
    Column("author_id", Uuid),
    Column("created_at", MOMENT),
    Column("is_fooled", Boolean),
    Column("is_retracted", Boolean, nullable=False),
    Column("resolution_version", Integer, nullable=False),
    Column("resolution", Text),
    Column("is_adjudicated", Boolean, nullable=False),
    Column("resolved_at", MOMENT),
    Column("appealed_version", Integer, nullable=False),
    Column("appealed_at", MOMENT),
    Column("message_version", Integer, nullable=False, server_default="0"),
    Column("asked_at", MOMENT),
    Column("answered_at", MOMENT),
    Column("requeued_version", Integer, nullable=False),
    Column("requeued_at", MOMENT),
    Column("told_kind", Text),
    Column("told_outcome", Text),
    Column("notice_id", Uuid),
    Column("waits_for", Text),
    Column("waits_since", MOMENT),
)
Index(
    "ix_notice_example_waiting",
    notice_example.c.round_id,
    postgresql_where=notice_example.c.waits_for.is_not(None),
)
Index(
    "ix_notice_example_unknown",
    notice_example.c.resolved_at,
    postgresql_where=notice_example.c.author_id.is_(None),
)

notice_week = Table("notice_week", metadata, Column("monday", Date, primary_key=True))
"""The weeks, by their first day in UTC, whose summaries are written."""

notice_position = Sequence("notice_position", metadata=metadata)
notice = Table(
    "notice",
    metadata,
    Column("notice_id", Uuid, primary_key=True),
    Column("person_id", Uuid, ForeignKey("person.person_id", ondelete="CASCADE"), nullable=False),
    Column("position", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("round_id", Uuid),
    Column("task_slug", Text),
    Column("submission_id", Uuid),
    Column("model", Text),
    Column("campaign_id", Uuid),
    Column("example_id", Uuid),
    Column("currency", Text),
    Column("counts", JSON, nullable=False),
    Column("began_at", MOMENT, nullable=False),
    Column("happened_at", MOMENT, nullable=False),
    Column("written_at", MOMENT, nullable=False),
    Column("read_at", MOMENT),
    Column("mailed_at", MOMENT),
)
"""`position` is given anew whenever a notice grows, so it tells which state of the list a person has seen."""
Index("ix_notice_person_id_position", notice.c.person_id, notice.c.position)
Index(
    "ix_notice_unread", notice.c.person_id, notice.c.written_at, postgresql_where=notice.c.read_at.is_(None)
)
Index("ix_notice_round_id", notice.c.round_id, notice.c.kind)
Index("ix_notice_written_at", notice.c.written_at)
Index(
    "ix_notice_submission_id",
    notice.c.submission_id,
    postgresql_where=notice.c.submission_id.is_not(None),
)

notice_setting = Table(
    "notice_setting",
    metadata,
    Column("person_id", Uuid, ForeignKey("person.person_id", ondelete="CASCADE"), primary_key=True),
    Column("mail", Text, nullable=False),
    Column("not_on_page", ARRAY(Text), nullable=False),
    Column("not_by_mail", ARRAY(Text), nullable=False),
    Column("language", Text, nullable=False),
    Column("mailed_at", MOMENT),
)
"""A person's notice settings where they differ from the defaults, and the time of the last mail with notices."""

OWN = (notice.c.person_id, notice_setting.c.person_id)
"""Columns that name a person in the tables whose rows that person may read. They go with the account."""


def delete_old_notices(connection: Connection, now: datetime) -> None:
    """Delete old notices, and the facts of examples whose author never turned out to have an account here."""
    connection.execute(delete(notice).where(notice.c.written_at < now - KEEP_NOTICES))
    nobody = notice_example.c.author_id.is_(None) & notice_example.c.waits_for.is_(None)
    connection.execute(delete(notice_example).where(nobody, notice_example.c.resolved_at < now - STALE_AFTER))
