"""Tables: facts by their aggregate, and releases with their results.

A row of facts has a version column for each kind of event that writes it. While a version is empty, so are its kind's
columns: facts may come in any order. `release` and `measurement` are also job queues. The worker that owns `lease_id`
works on the row until `leased_until`.
"""

from dynabench_common.database.connections import new_metadata
from dynabench_common.events.dead_letters import dead_letter_table
from dynabench_common.events.inbox import inbox_table
from dynabench_common.events.outbox import outbox_table
from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Float,
    Index,
    Integer,
    LargeBinary,
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

task_configuration = Table(
    "task_configuration",
    metadata,
    Column("task_id", Uuid, primary_key=True),
    Column("configuration_version", Integer, primary_key=True),
    Column("fact_version", Integer),
    Column("slug", Text),
    Column("title", Text),
    Column("configuration", JSON),
)

round_ = Table(
    "round",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("created_version", Integer),
    Column("task_id", Uuid),
    Column("number", Integer),
    Column("title", Text),
    Column("origin", Text),
    Column("source", Text),
    Column("targets_version", Integer),
    Column("targets", JSON),
    Column("state_version", Integer),
    Column("state", Text),
)

segment = Table(
    "segment",
    metadata,
    Column("segment_id", Uuid, primary_key=True),
    Column("fact_version", Integer),
    Column("round_id", Uuid, index=True),
    Column("number", Integer),
    Column("targets", JSON),
)

example = Table(
    "example",
    metadata,
    Column("example_id", Uuid, primary_key=True),
    Column("created_version", Integer),
    Column("task_id", Uuid),
    Column("round_id", Uuid),
    Column("segment_id", Uuid),
    Column("author_id", Uuid),
    Column("configuration_version", Integer),
    Column("context", JSON),
    Column("input", JSON),
    Column("claimed", Text),
    Column("answers", JSON),
    Column("verdict", Text),
    Column("cohort", Text),
    Column("condition", Text),
    Column("tags", JSON),
    Column("created_at", MOMENT),
    Column("decided_version", Integer),
    Column("decided_verdict", Text),
    Column("wrong_targets", JSON),
    Column("metadata_version", Integer),
    Column("metadata", JSON),
    Column("explained_version", Integer),
    Column("label_explanation", Text),
    Column("model_explanation", Text),
    Column("retracted_version", Integer),
    Column("retracted_at", MOMENT),
    Column("resolution_version", Integer),
    Column("resolution", Text),
    Column("golds", JSON),
    Column("is_adjudicated", Boolean),
    Column("resolved_at", MOMENT),
    Column("appealed_version", Integer),
    Column("duplicate_of", Uuid),
    Column("decided_duplicate_of", Uuid),
    Column("overruled_version", Integer),
    Column("overruled_verdict", Text),
    Column("context_id", Uuid),
    Column("attempt", Integer),
    Column("assigned_label", Text),
    Column("seconds_since_context", Float),
    Column("probes_before", Integer),
    Column("inspections_before", Integer),
    Column("perturbation_of", Uuid),
    Column("source_id", Text),
)
"""The verdict of a duplicate is "did not fool", as it counts, until the task's owner overrules that."""
Index("ix_example_round_id_example_id", example.c.round_id, example.c.example_id)
Index("ix_example_author_id_example_id", example.c.author_id, example.c.example_id)

author_count = Table(
    "author_count",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("author_id", Uuid, primary_key=True),
    Column("configuration_version", Integer, primary_key=True),
    Column("is_retracted", Boolean, primary_key=True),
    Column("verdict", Text, primary_key=True),
    Column("resolution", Text, primary_key=True),
    Column("has_golds", Boolean, primary_key=True),
    Column("has_claim", Boolean, primary_key=True),
    Column("examples", Integer, nullable=False),
)
"""Numbers of an author's examples in the same state. Only triggers on `example` write them.

Each example of an unknown author has an author of its own, with the example's id. `resolution` is empty while there is
none. A count may be zero.
"""

vote = Table(
    "vote",
    metadata,
    Column("vote_id", Uuid, primary_key=True),
    Column("cast_version", Integer),
    Column("example_id", Uuid),
    Column("voter_id", Uuid),
    Column("kind", Text),
    Column("option", Text),
    Column("reason", Text),
    Column("counted", Boolean),
    Column("metadata", JSON),
    Column("cast_at", MOMENT),
    Column("withdrawn_version", Integer),
    Column("cause", Text),
    Column("judged_version", Integer),
    Column("agrees", Boolean),
    Column("corrected", Text),
    Column("explanation", Text),
    Column("seconds", Float),
)
Index("ix_vote_example_id", vote.c.example_id)
Index("ix_vote_voter_id_vote_id", vote.c.voter_id, vote.c.vote_id)

confirmed_error = Table(
    "confirmed_error",
    metadata,
    Column("example_id", Uuid, primary_key=True),
    Column("target", Text, primary_key=True),
    Column("round_id", Uuid, nullable=False),
    Column("resolved_at", MOMENT, nullable=False),
    Column("merit", Float, nullable=False),
)
"""Validated errors by the round's rule, without a target and once for each target that was wrong.

The projection maintains them. So a list of public examples reads only its page from an index, for any number of tries.
To find errors in `example`, it would have to judge every try.
"""
_OF_ROUND = (confirmed_error.c.round_id, confirmed_error.c.target)
Index("ix_confirmed_error_newest", *_OF_ROUND, confirmed_error.c.resolved_at, confirmed_error.c.example_id)
Index("ix_confirmed_error_best", *_OF_ROUND, confirmed_error.c.merit, confirmed_error.c.example_id)

unjudged_example = Table(
    "unjudged_example",
    metadata,
    Column("example_id", Uuid, primary_key=True),
    Column("task_id", Uuid, nullable=False),
    Column("configuration_version", Integer, nullable=False),
)
"""Resolved examples whose configuration has not arrived yet."""
Index("ix_unjudged_example_task_id", unjudged_example.c.task_id, unjudged_example.c.configuration_version)

known_item_answer = Table(
    "known_item_answer",
    metadata,
    Column("example_id", Uuid, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("vote_id", Uuid),
    Column("voter_id", Uuid),
    Column("record", Text),
)
"""Answers on known items as their people's exports tell them, JSON in the fields' order; null if taken back."""
Index("ix_known_item_answer_voter_id", known_item_answer.c.voter_id, known_item_answer.c.vote_id)

COPIES = (
    task_configuration, round_, segment, example, vote, confirmed_error, unjudged_example, known_item_answer
)  # fmt: skip
"""Tables that a rebuild makes anew from the log."""

release_key = Table(
    "release_key",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("key", LargeBinary, nullable=False),
)

repeated_error = Table(
    "repeated_error",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("example_id", Uuid, primary_key=True),
    Column("target", Text, primary_key=True),
    Column("release_id", Uuid, nullable=False),
    Column("repeated", Integer),
)
"""Number of times that a target repeated a wrong answer for a release; NULL if it could not be asked."""

released_error = Table(
    "released_error",
    metadata,
    Column("example_id", Uuid, primary_key=True),
    Column("round_id", Uuid, nullable=False),
)
"""Validated errors that stand in a split of a released dataset."""

hidden_example = Table(
    "hidden_example",
    metadata,
    Column("example_id", Uuid, primary_key=True),
    Column("by_author", Boolean, primary_key=True),
    Column("round_id", Uuid, nullable=False, index=True),
    Column("hidden_by", Uuid, nullable=False),
    Column("hidden_at", MOMENT, nullable=False),
    Column("reason", Text, nullable=False),
)
"""Examples that nobody may read: its author and the task's owners hide one independently of each other."""

example_report = Table(
    "example_report",
    metadata,
    Column("report_id", Uuid, primary_key=True),
    Column("example_id", Uuid, nullable=False),
    Column("task_id", Uuid, nullable=False),
    Column("reported_by", Uuid, nullable=False),
    Column("reported_at", MOMENT, nullable=False),
    Column("reason", Text, nullable=False),
    Column("closed_at", MOMENT),
    Column("closed_by", Uuid),
    Column("decision", Text),
    Column("decision_reason", Text),
)
"""People's reports about public examples; `decision` is hidden or kept."""
Index(
    "uq_example_report_open",
    example_report.c.example_id,
    example_report.c.reported_by,
    unique=True,
    postgresql_where=text("closed_at IS NULL"),
)
Index(
    "ix_example_report_open",
    example_report.c.task_id,
    example_report.c.example_id,
    postgresql_where=text("closed_at IS NULL"),
)
Index("ix_example_report_reported_by", example_report.c.reported_by, example_report.c.reported_at)

release = Table(
    "release",
    metadata,
    Column("release_id", Uuid, primary_key=True),
    Column("round_id", Uuid, nullable=False),
    Column("requested_by", Uuid, nullable=False),
    Column("requested_at", MOMENT, nullable=False),
    Column("options", JSONB, nullable=False),
    Column("state", Text, nullable=False),
    Column("step", Text, nullable=False),
    Column("progress", Float, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("lease_id", Uuid),
    Column("leased_until", MOMENT),
    Column("dataset_id", Uuid),
    Column("error", JSON),
)
Index(
    "uq_release_round_id_live",
    release.c.round_id,
    unique=True,
    postgresql_where=text("state IN ('building', 'done')"),
)

dataset = Table(
    "dataset",
    metadata,
    Column("dataset_id", Uuid, primary_key=True),
    Column("digest", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("task_id", Uuid, nullable=False),
    Column("task_slug", Text, nullable=False),
    Column("round_id", Uuid, nullable=False),
    Column("title", Text, nullable=False),
    Column("licence", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("citation", Text, nullable=False),
    Column("described", JSONB, nullable=False),
    Column("files", JSONB, nullable=False),
    Column("card", Text, nullable=False),
    Column("croissant", JSONB, nullable=False),
    Column("manifest_key", Text, nullable=False),
    Column("released_by", Uuid, nullable=False),
    Column("released_at", MOMENT, nullable=False),
    UniqueConstraint("name", "version"),
)
Index("ix_dataset_task_slug_dataset_id", dataset.c.task_slug, dataset.c.dataset_id)

measurement = Table(
    "measurement",
    metadata,
    Column("subject_id", Uuid, primary_key=True),
    Column("state", Text, nullable=False),
    Column("requested_at", MOMENT, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("lease_id", Uuid),
    Column("leased_until", MOMENT),
    Column("measured_at", MOMENT),
    Column("result", JSON),
    Column("error", JSON),
)
