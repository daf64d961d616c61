"""Tables of submissions: the archives, the progress of their checks, and their logs.

`submission` is also a job queue. The worker that owns `lease_id` runs the row's checks until `leased_until`.
"""

from dynabench_common.database.connections import new_metadata
from dynabench_common.events.dead_letters import dead_letter_table
from dynabench_common.events.inbox import inbox_table
from dynabench_common.events.outbox import outbox_table
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

metadata = new_metadata()
MOMENT = DateTime(timezone=True)
JSON = JSONB(none_as_null=True)

inbox = inbox_table(metadata)
outbox = outbox_table(metadata)
dead_letter = dead_letter_table(metadata)

task = Table(
    "task",
    metadata,
    Column("task_id", Uuid, primary_key=True),
    Column("slug", Text, nullable=False, unique=True),
    Column("fact_version", Integer, nullable=False),
    Column("configuration", JSON, nullable=False),
)
"""The newest configuration of each task, from annotation's events."""

round_ = Table(
    "round",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("task_id", Uuid),
    Column("number", Integer),
    Column("targets_version", Integer),
    Column("targets", JSON),
    Column("state_version", Integer),
    Column("state", Text),
)
"""Targets of rounds, from annotation's events; each fact with the version of its event.

`task_id` and `number` are NULL for rounds that were drafted before the registry kept them."""

model = Table(
    "model",
    metadata,
    Column("name", Text, primary_key=True),
    Column("task_slug", Text, nullable=False),
    Column("submitted_by", Uuid, nullable=False),
    Column("newest_version", Integer, nullable=False),
)
"""Model names, each with the only person allowed to submit versions of it."""

submission = Table(
    "submission",
    metadata,
    Column("submission_id", Uuid, primary_key=True),
    Column("aggregate_version", Integer, nullable=False),
    Column("model_name", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("task_slug", Text, nullable=False),
    Column("submitted_by", Uuid, nullable=False),
    Column("file_name", Text, nullable=False),
    Column("archive_bytes", BigInteger, nullable=False),
    Column("archive_digest", Text, nullable=False),
    Column("part_bytes", BigInteger, nullable=False),
    Column("archive_key", Text, nullable=False),
    Column("upload_id", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("step", Text, nullable=False),
    Column("created_at", MOMENT, nullable=False),
    Column("received_at", MOMENT),
    Column("ended_at", MOMENT),
    Column("counted", Boolean, nullable=False),
    Column("pool", Text),
    Column("serving_name", Text),
    Column("scan", JSON),
    Column("served", JSON),
    Column("card", JSON),
    Column("anonymous", Boolean, nullable=False),
    Column("approved_by", Uuid),
    Column("signed_by", Text),
    Column("webhook_url", Text),
    Column("webhook_secret", Text),
    Column("requested_at", MOMENT),
    Column("claimed_at", MOMENT),
    Column("lease_id", Uuid),
    Column("leased_until", MOMENT),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("deleted_at", MOMENT),
    Column("deleted_as", Text),
    Column("deletion_reason", Text),
    Column("was_published", Boolean),
    Column("removed_at", MOMENT),
    Column("signature", JSON),
    UniqueConstraint("model_name", "version"),
)
Index("ix_submission_submitted_by", submission.c.submitted_by, submission.c.submission_id)
Index("ix_submission_task_slug", submission.c.task_slug, submission.c.submission_id)
Index("ix_submission_serving_name", submission.c.serving_name, unique=True)
Index(
    "ix_submission_checking",
    submission.c.requested_at,
    postgresql_where=text("state = 'checking'"),
)
Index("ix_submission_draft", submission.c.created_at, postgresql_where=text("state = 'draft'"))
Index(
    "ix_submission_to_be_removed",
    submission.c.deleted_at,
    postgresql_where=text("removed_at IS NULL AND deleted_at IS NOT NULL"),
)

submission_step = Table(
    "submission_step",
    metadata,
    Column("submission_id", Uuid, ForeignKey("submission.submission_id"), primary_key=True),
    Column("step", Text, primary_key=True),
    Column("state", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("started_at", MOMENT),
    Column("ended_at", MOMENT),
    Column("beat_at", MOMENT),
    Column("fault", Text),
    Column("reason", Text),
    Column("remedy", Text),
    Column("shown", JSON),
)

submission_log = Table(
    "submission_log",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("submission_id", Uuid, ForeignKey("submission.submission_id"), nullable=False),
    Column("step", Text, nullable=False),
    Column("at", MOMENT, nullable=False),
    Column("line", Text, nullable=False),
)
Index("ix_submission_log_submission_id", submission_log.c.submission_id, submission_log.c.id)

submission_entry = Table(
    "submission_entry",
    metadata,
    Column("submission_id", Uuid, ForeignKey("submission.submission_id"), primary_key=True),
    Column("path", Text, primary_key=True),
    Column("content", Text, nullable=False),
)
"""Texts of entries that people look at before they let an archive run."""

webhook_call = Table(
    "webhook_call",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("submission_id", Uuid, ForeignKey("submission.submission_id"), nullable=False),
    Column("body", JSON, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("due_at", MOMENT, nullable=False),
    Column("ended_at", MOMENT),
    Column("outcome", Text),
)
Index("ix_webhook_call_due_at", webhook_call.c.due_at, postgresql_where=webhook_call.c.ended_at.is_(None))

OWN = (model.c.submitted_by, submission.c.submitted_by)
"""Columns that name a person in the tables whose rows that person may read."""
