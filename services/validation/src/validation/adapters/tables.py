"""Tables of validation.

`task_configuration`, `round` and `example` are copies of what annotation published and can be dropped and read again
from the log. Each fact carries the version that wrote it, and is empty until its event has come. A retraction may
arrive before the example it withdraws. `example_validation`, `vote`, `skip`, `lease`, `queue_turn` and those of
`onboarding` are validation's own.
"""

from dynabench_common.database.connections import new_metadata
from dynabench_common.events.dead_letters import dead_letter_table
from dynabench_common.events.inbox import inbox_table
from dynabench_common.events.outbox import outbox_table
from dynabench_common.http.idempotency import idempotency_table
from dynabench_common.onboarding.training import onboarding_tables
from dynabench_common.work.leases import lease_table
from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Double,
    ForeignKey,
    Identity,
    Index,
    Integer,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    and_,
    func,
    select,
)
from sqlalchemy.dialects.postgresql import JSONB

metadata = new_metadata()
outbox = outbox_table(metadata)
inbox = inbox_table(metadata)
idempotency = idempotency_table(metadata)
lease = lease_table(metadata)
dead_letter = dead_letter_table(metadata)
onboarding = onboarding_tables(metadata)
Index("ix_lease_expires_at", lease.c.expires_at)

task_configuration = Table(
    "task_configuration",
    metadata,
    Column("task_id", Uuid, primary_key=True),
    Column("configuration_version", Integer, primary_key=True),
    Column("fact_version", Integer, nullable=False),
    Column("slug", Text, nullable=False),
    Column("configuration", JSONB, nullable=False),
    Column("waits_for", Text),
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
round_number = func.coalesce(round_.c.number, 1).label("round_number")
"""The first round's number stands in until the round's own event has come."""

assigned_checks = Table(
    "assigned_checks",
    metadata,
    Column("order_id", Uuid, primary_key=True),
    Column("assigned_version", Integer),
    Column("round_id", Uuid),
    Column("person_id", Uuid),
    Column("example_ids", ARRAY(Uuid)),
    Column("units", Integer),
    Column("assigned_at", DateTime(timezone=True)),
    Column("ended_version", Integer),
)
"""Examples that owners assigned to people to check; a person is asked to check `units` of them."""
Index("ix_assigned_checks_person_id", assigned_checks.c.person_id, assigned_checks.c.round_id)

example = Table(
    "example",
    metadata,
    Column("example_id", Uuid, primary_key=True),
    Column("created_version", Integer),
    Column("task_id", Uuid),
    Column("task_slug", Text),
    Column("configuration_version", Integer),
    Column("round_id", Uuid),
    Column("author_id", Uuid),
    Column("context", JSONB),
    Column("input", JSONB),
    Column("claimed", Text),
    Column("fooled", Boolean),
    Column("undecided", Boolean),
    Column("margin", Double),
    Column("created_at", DateTime(timezone=True)),
    Column("decided_version", Integer),
    Column("decided_fooled", Boolean),
    Column("explained_version", Integer),
    Column("label_explanation", Text),
    Column("model_explanation", Text),
    Column("retracted_version", Integer),
    Column("retracted_at", DateTime(timezone=True)),
    Column("segment_id", Uuid),
    Column("condition", Text),
    Column("cohort", Text),
    Column("tags", JSONB),
    Column("targets", JSONB),
    Column("source_id", Text),
    Column("imported_votes", JSONB),
    Column("decided_wrong", JSONB),
    Column("overruled_version", Integer),
)
"""`targets` is a list of `{name, wrong, value, confidence}` in the round's order. `wrong` is null without an answer or
without a verdict on it; `value`, a value text, without an answer; `confidence` if the target gave none.
`decided_wrong` lists the names of those that the author found wrong later. `segment_id` is nil for a round without
targets.
"""
Index("ix_example_task_id_configuration_version", example.c.task_id, example.c.configuration_version)
verdict_of_example = func.example_verdict(
    example.c.decided_fooled, example.c.fooled, example.c.undecided, example.c.claimed
)
"""The verdict as it stands."""
Index("ix_example_verdict", example.c.round_id, verdict_of_example)
written_words = func.written_words(example.c.context, example.c.input)
"""The words of context and input in one case, whatever the language.

A function of the database reads signs of markup as spaces. It has none for texts of over 150,000 characters
together: PostgreSQL refuses a row with more than 1 MiB of words.
"""
Index("ix_example_written_words", written_words, postgresql_using="gin")
Index("ix_example_tags", example.c.tags, postgresql_using="gin")

configuration_of_example = and_(
    task_configuration.c.task_id == example.c.task_id,
    task_configuration.c.configuration_version == example.c.configuration_version,
)
"""Matches the configuration version that an example was made under."""

example_validation = Table(
    "example_validation",
    metadata,
    Column("example_id", Uuid, primary_key=True),
    Column("round_id", Uuid, nullable=False),
    Column("author_id", Uuid, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("wanted", Boolean, nullable=False),
    Column("priority", SmallInteger, nullable=False),
    Column("retracted", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    Column("votes_counted", Integer, nullable=False),
    Column("possible_slots", Integer, nullable=False),
    Column("certain_slots", Integer, nullable=False),
    Column("author_disagrees", Boolean, nullable=False, server_default="false"),
    Column("voters_disagree", Boolean, nullable=False, server_default="false"),
    Column("resolution", Text),
    Column("agreed_option", Text),
    Column("golds", JSONB(none_as_null=True)),
    Column("resolved_at", DateTime(timezone=True)),
    Column("adjudicated_by", Uuid),
    Column("adjudicated_kind", Text),
    Column("adjudicated_option", Text),
    Column("adjudication_reason", Text),
    Column("adjudicated_at", DateTime(timezone=True)),
    Column("appeal_reason", Text),
    Column("appealed_at", DateTime(timezone=True)),
    Column("appeal_answer", Text),
    Column("appeal_answered_at", DateTime(timezone=True)),
)
is_pending = and_(
    example_validation.c.wanted,
    example_validation.c.retracted.is_(False),
    example_validation.c.resolution.is_(None),
)
Index(
    "ix_example_validation_pending",
    example_validation.c.round_id,
    example_validation.c.priority,
    example_validation.c.votes_counted,
    example_validation.c.created_at,
    example_validation.c.example_id,
    postgresql_where=is_pending,
)
Index(
    "ix_example_validation_waiting",
    example_validation.c.round_id,
    example_validation.c.created_at,
    example_validation.c.example_id,
    postgresql_where=is_pending,
)
newest = example_validation.c.created_at, example_validation.c.example_id
"""Columns that sort a round's examples, in each of these indexes."""
Index("ix_example_validation_newest", example_validation.c.round_id, *newest)
Index("ix_example_validation_author", example_validation.c.round_id, example_validation.c.author_id, *newest)
Index(
    "ix_example_validation_resolution",
    example_validation.c.round_id,
    example_validation.c.resolution,
    *newest,
)
for _name in ("author_disagrees", "voters_disagree"):
    Index(
        f"ix_example_validation_{_name}",
        example_validation.c.round_id,
        *newest,
        postgresql_where=example_validation.c[_name],
    )
is_undecided = and_(
    example_validation.c.retracted.is_(False),
    example_validation.c.adjudicated_at.is_(None),
    example_validation.c.resolution.in_(["disputed", "flagged"]),
)
"""Matches the examples that people could not decide, or found unfit, and no owner has decided."""
Index(
    "ix_example_validation_undecided",
    example_validation.c.round_id,
    example_validation.c.resolution,
    example_validation.c.resolved_at,
    example_validation.c.example_id,
    postgresql_where=is_undecided,
)
is_appealed = and_(
    example_validation.c.retracted.is_(False),
    example_validation.c.appealed_at.is_not(None),
    example_validation.c.appeal_answered_at.is_(None),
)
"""Matches the examples whose author waits for the owner's answer."""
Index(
    "ix_example_validation_appealed",
    example_validation.c.round_id,
    example_validation.c.appealed_at,
    example_validation.c.example_id,
    postgresql_where=is_appealed,
)

example_question = Table(
    "example_question",
    metadata,
    Column("example_id", Uuid, ForeignKey("example_validation.example_id"), primary_key=True),
    Column("round_id", Uuid, nullable=False),
    Column("asked_at", DateTime(timezone=True), nullable=False),
)
"""The examples whose author waits for an answer to a message."""
Index("ix_example_question_round_id", example_question.c.round_id)

example_message = Table(
    "example_message",
    metadata,
    Column("message_id", Uuid, primary_key=True),
    Column("example_id", Uuid, ForeignKey("example_validation.example_id"), nullable=False),
    Column("writer_id", Uuid, nullable=False),
    Column("by_author", Boolean, nullable=False),
    Column("text", Text, nullable=False),
    Column("written_at", DateTime(timezone=True), nullable=False),
)
Index("ix_example_message_example_id", example_message.c.example_id, example_message.c.message_id)

round_count = Table(
    "round_count",
    metadata,
    Column("count_id", BigInteger, Identity(), primary_key=True),
    Column("round_id", Uuid, nullable=False),
    Column("resolution", Text, nullable=False),
    Column("retracted", Boolean, nullable=False),
    Column("priority", SmallInteger, nullable=False),
    Column("pending", Boolean, nullable=False),
    Column("examples", BigInteger, nullable=False),
    Column("votes", BigInteger, nullable=False),
)
"""Changes of a round's counts, to be added up; triggers on `example_validation` write them (`round_counts.py`)."""
Index("ix_round_count_round_id", round_count.c.round_id)

vote = Table(
    "vote",
    metadata,
    Column("vote_id", Uuid, primary_key=True),
    Column("example_id", Uuid, ForeignKey("example_validation.example_id"), nullable=False),
    Column("voter_id", Uuid, nullable=False),
    Column("lease_id", Uuid, unique=True),
    Column("version", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("option", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("counted", Boolean, nullable=False),
    Column("seconds", Double, nullable=False),
    Column("cast_at", DateTime(timezone=True), nullable=False),
    Column("metadata", JSONB, nullable=False, server_default="{}"),
    Column("agrees", Boolean),
    Column("judged_at", DateTime(timezone=True)),
    Column("corrected", Text),
    Column("explanation", Text),
    Column("set_aside_at", DateTime(timezone=True)),
    Column("revealed_at", DateTime(timezone=True)),
    UniqueConstraint("example_id", "voter_id"),
)
"""A vote without a lease was imported. `corrected` is a value text. A vote that was set aside is kept as evidence
while people are asked anew; one that was undone is deleted. `revealed_at` is when its voter saw the claim.
"""
Index("ix_vote_voter_id_cast_at", vote.c.voter_id, vote.c.cast_at)

queue_turn = Table(
    "queue_turn",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("leases_given", BigInteger, nullable=False),
)

skip = Table(
    "skip",
    metadata,
    Column("example_id", Uuid, primary_key=True),
    Column("person_id", Uuid, primary_key=True),
    Column("skipped_on", Date, nullable=False),
)
"""The last day of the calendar stands for every day: the person is not asked about the example any more."""

reveal_key = Table("reveal_key", metadata, Column("key", Uuid, primary_key=True))
"""One row: the secret with which the examples are drawn whose voters read the models' answers."""
key_of_reveals = select(reveal_key.c.key).scalar_subquery().label("reveal_key")

OWN = (
    *(onboarding.confirmation.c.person_id, onboarding.attempt.c.person_id),
    *(skip.c.person_id, example_message.c.writer_id),
)
"""Columns that name a person in the tables whose rows that person may read."""
