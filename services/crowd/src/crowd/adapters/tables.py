"""Tables of crowd.

`task_configuration`, `round`, `example` and `vote` are copies of what annotation and validation published, as facts:
each has the version of the event that wrote it. Only examples of people of campaigns are judged. `campaign`, `worker`
and `assignment` are crowd's own. No other table, and no event, has a platform's worker id.
"""

from dynabench_common.database.connections import new_metadata
from dynabench_common.events.dead_letters import dead_letter_table
from dynabench_common.events.inbox import inbox_table
from dynabench_common.events.outbox import outbox_table
from dynabench_common.http.idempotency import idempotency_table
from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
)
from sqlalchemy.dialects.postgresql import JSONB

metadata = new_metadata()
outbox = outbox_table(metadata)
inbox = inbox_table(metadata)
idempotency = idempotency_table(metadata)
dead_letter = dead_letter_table(metadata)

task_configuration = Table(
    "task_configuration",
    metadata,
    Column("task_id", Uuid, primary_key=True),
    Column("configuration_version", Integer, primary_key=True),
    Column("fact_version", Integer, nullable=False),
    Column("slug", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("configuration", JSONB, nullable=False),
)

round_ = Table(
    "round",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("created_version", Integer),
    Column("task_id", Uuid),
    Column("number", Integer),
    Column("state_version", Integer),
    Column("state", Text),
)

example = Table(
    "example",
    metadata,
    Column("example_id", Uuid, primary_key=True),
    Column("created_version", Integer),
    Column("task_id", Uuid),
    Column("configuration_version", Integer),
    Column("round_id", Uuid),
    Column("author_id", Uuid),
    Column("answers", JSONB),
    Column("verdict", Text),
    Column("is_duplicate", Boolean),
    Column("seconds", BigInteger),
    Column("created_at", DateTime(timezone=True)),
    Column("decided_version", Integer),
    Column("decided_verdict", Text),
    Column("wrong_targets", JSONB),
    Column("overruled_version", Integer),
    Column("resolution_version", Integer),
    Column("resolution", Text),
    Column("golds", JSONB),
    Column("retracted_version", Integer),
    Column("pasted_characters", BigInteger),
    Column("bands", ARRAY(BigInteger)),
    Column("is_error", Boolean, nullable=False, server_default="false"),
)
"""`verdict` is `not_fooled` for a duplicate. `is_error` follows from the other columns: a validated error.

`bands` are the fingerprint of a paid person's text; its words are not stored."""
Index("ix_example_author_id_round_id", example.c.author_id, example.c.round_id)

vote = Table(
    "vote",
    metadata,
    Column("vote_id", Uuid, primary_key=True),
    Column("cast_version", Integer),
    Column("round_id", Uuid),
    Column("voter_id", Uuid),
    Column("seconds", BigInteger),
    Column("cast_at", DateTime(timezone=True)),
    Column("withdrawn_version", Integer),
    Column("example_id", Uuid),
    Column("answer", Text),
)
"""`answer` is the kind with the option; null for `unsure`."""
Index("ix_vote_voter_id_round_id", vote.c.voter_id, vote.c.round_id)

campaign = Table(
    "campaign",
    metadata,
    Column("campaign_id", Uuid, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("round_id", Uuid, nullable=False, index=True),
    Column("task_slug", Text, nullable=False),
    Column("work", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("platform", Text, nullable=False),
    Column("units", Integer, nullable=False),
    Column("places", Integer, nullable=False),
    Column("reward_minor", BigInteger, nullable=False),
    Column("bonus_minor", BigInteger, nullable=False),
    Column("screen_out_minor", BigInteger, nullable=False),
    Column("currency", Text, nullable=False),
    Column("minutes", Integer, nullable=False),
    Column("languages", JSONB, nullable=False),
    Column("qualifications", JSONB, nullable=False),
    Column("codes", JSONB, nullable=False),
    Column("study_id", Text),
    Column("problem", Text),
    Column("launching_until", DateTime(timezone=True)),
    Column("pay_low_at", DateTime(timezone=True)),
    Column("created_by", Uuid, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("launched_at", DateTime(timezone=True)),
    Column("ended_at", DateTime(timezone=True)),
    UniqueConstraint("platform", "study_id"),
)
"""`codes` gives each completion code by its action. `launching_until` is set while a launch calls the platform."""

worker = Table(
    "worker",
    metadata,
    Column("platform", Text, primary_key=True),
    Column("worker_id", Text, primary_key=True),
    Column("person_id", Uuid, nullable=False, unique=True),
)

assignment = Table(
    "assignment",
    metadata,
    Column("assignment_id", Uuid, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("campaign_id", Uuid, ForeignKey("campaign.campaign_id"), nullable=False),
    Column("person_id", Uuid, ForeignKey("worker.person_id"), nullable=False, index=True),
    Column("state", Text, nullable=False),
    Column("submission_id", Text, nullable=False),
    Column("parameters", JSONB, nullable=False),
    Column("is_proved", Boolean, nullable=False),
    Column("device", Text),
    Column("why", Text),
    Column("rejection_category", Text),
    Column("accepted_at", DateTime(timezone=True), nullable=False),
    Column("deadline", DateTime(timezone=True), nullable=False),
    Column("submitted_at", DateTime(timezone=True)),
    Column("stopped_at", DateTime(timezone=True)),
    Column("changed_at", DateTime(timezone=True), nullable=False),
    UniqueConstraint("campaign_id", "person_id"),
    UniqueConstraint("campaign_id", "submission_id"),
)
"""`parameters` are those of the entry's address. `why` is the reason of an end or of fewer units."""
Index("ix_assignment_deadline", assignment.c.deadline, postgresql_where=assignment.c.state == "working")

entry_address = Table(
    "entry_address",
    metadata,
    Column("assignment_id", Uuid, ForeignKey("assignment.assignment_id"), primary_key=True),
    Column("address", LargeBinary, primary_key=True),
    Column("seen_at", DateTime(timezone=True), nullable=False, index=True),
)
"""Keyed hashes of the addresses that people entered from. The worker removes them after 30 days."""

review = Table(
    "review",
    metadata,
    Column("assignment_id", Uuid, ForeignKey("assignment.assignment_id"), primary_key=True),
    Column("decision", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("decided_at", DateTime(timezone=True), nullable=False),
    Column("appeal", Text),
    Column("appealed_at", DateTime(timezone=True)),
    Column("answer", Text),
    Column("answered_at", DateTime(timezone=True)),
)

OWN = (worker.c.person_id, assignment.c.person_id)
"""Columns that name a person in the tables whose rows that person may read."""
