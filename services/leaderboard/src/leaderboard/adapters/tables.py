"""The tables: facts by the aggregate they come from, and the sums stored of them.

`example` holds one row per example, whose groups of columns (try, decision, retraction, resolution, withdrawal, votes)
may come in any order; a group is empty while its version is. `context_effort` holds the parts of tries that a
person's effort on a context follows from. The tables after it hold the sums that boards are read from.
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
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    Uuid,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from leaderboard.adapters.person_tables import person_tables
from leaderboard.domain.effort import SurvivalCounts
from leaderboard.domain.example_counts import ExampleCounts
from leaderboard.domain.groups import AuthorSums
from leaderboard.domain.history import AuthorHistoryCounts, HistoryCounts
from leaderboard.domain.matrix import PatternCounts
from leaderboard.domain.tally import Tally

metadata = new_metadata()
MOMENT = DateTime(timezone=True)

inbox = inbox_table(metadata)
dead_letter = dead_letter_table(metadata)
outbox = outbox_table(metadata)

projection = Table(
    "projection",
    metadata,
    Column("name", Text, primary_key=True),
    Column("version", Integer, nullable=False),
)

read_model = Table(
    "read_model",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("consumer_group", Text, nullable=False, server_default="leaderboard"),
    Column("version", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("positions", JSONB, nullable=False, server_default="{}"),
    Column("events_read", BigInteger, nullable=False, server_default="0"),
    Column("events_total", BigInteger, nullable=False, server_default="0"),
    Column("events_applied", BigInteger, nullable=False, server_default="0"),
    Column("events_refused", BigInteger, nullable=False, server_default="0"),
    Column("begun_at", MOMENT, nullable=False, server_default=func.now()),
    Column("stood_at", MOMENT),
    Column("replaced_at", MOMENT),
)
"""The existing sets of the tables below, one row each; `read_models` explains their use."""

Index(
    "uq_read_model_version_state",
    read_model.c.version,
    read_model.c.state,
    unique=True,
    postgresql_where=text("state IN ('building', 'standing')"),
)

build_trouble = Table(
    "build_trouble",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("reason", Text, nullable=False),
    Column("noted_at", MOMENT, nullable=False, server_default=func.now()),
)
"""Why the building of a version does not go on: no row where it does, or where it has not been tried."""

task_configuration = Table(
    "task_configuration",
    metadata,
    Column("task_id", Uuid, primary_key=True),
    Column("configuration_version", Integer, primary_key=True),
    Column("aggregate_version", Integer, nullable=False),
    Column("slug", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("configuration", JSONB, nullable=False),
    Column("waits_for", Text),
)

round_ = Table(
    "round",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("created_version", Integer),
    Column("task_id", Uuid, index=True),
    Column("number", Integer),
    Column("title", Text),
    Column("targets", JSONB),
    Column("state_version", Integer),
    Column("state", Text),
    Column("revision", Uuid, nullable=False),
    Column("as_of", MOMENT, nullable=False),
    Column("targets_version", Integer),
    Column("origin", Text),
    Column("opened_at", MOMENT),
)

segment = Table(
    "segment",
    metadata,
    Column("segment_id", Uuid, primary_key=True),
    Column("round_id", Uuid, nullable=False, index=True),
    Column("aggregate_version", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("configuration_version", Integer, nullable=False),
    Column("targets", JSONB, nullable=False),
    Column("started_at", MOMENT, nullable=False),
)

example = Table(
    "example",
    metadata,
    Column("example_id", Uuid, primary_key=True),
    Column("try_version", Integer),
    Column("round_id", Uuid),
    Column("task_id", Uuid),
    Column("configuration_version", Integer),
    Column("segment_id", Uuid),
    Column("author_id", Uuid),
    Column("verdict", Text),
    Column("created_at", MOMENT),
    Column("condition", Text),
    Column("decision_version", Integer),
    Column("decided_verdict", Text),
    Column("wrong_targets", JSONB(none_as_null=True)),
    Column("decided_at", MOMENT),
    Column("retraction_version", Integer),
    Column("retracted_at", MOMENT),
    Column("resolution_version", Integer),
    Column("outcome", Text),
    Column("golds", JSONB(none_as_null=True)),
    Column("resolved_at", MOMENT),
    Column("votes", Integer, nullable=False),
    Column("cohort", Text),
    Column("tags", JSONB(none_as_null=True)),
    Column("claimed", Text),
    Column("context_id", Uuid),
    Column("number", Integer),
    Column("milliseconds", BigInteger),
    Column("withdrawal_version", Integer),
    Column("withdrawn_at", MOMENT),
    Column("duplicate_version", Integer),
    Column("duplicate_of", Uuid),
    Column("overruled_version", Integer),
    Column("from_elsewhere", Boolean),
)
Index(
    "ix_example_task_id_configuration_version",
    example.c.task_id,
    example.c.configuration_version,
    example.c.example_id,
)

answer = Table(
    "answer",
    metadata,
    Column("example_id", Uuid, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("target", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("wrong", Boolean, nullable=False),
    Column("missing", Boolean, nullable=False),
    Column("not_asked", Boolean, nullable=False, server_default="false"),
)

vote = Table(
    "vote",
    metadata,
    Column("vote_id", Uuid, primary_key=True),
    Column("example_id", Uuid, nullable=False),
    Column("counted", Boolean, nullable=False),
    Column("cast_version", Integer, nullable=False, server_default="0"),
    Column("withdrawn_version", Integer, nullable=False, server_default="0"),
    Column("voter_id", Uuid),
    Column("cast_at", MOMENT),
)
Index("ix_vote_voter_id", vote.c.voter_id, vote.c.cast_at)

context_effort = Table(
    "pursuit",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("author_id", Uuid, primary_key=True),
    Column("context_id", Uuid, primary_key=True),
    Column("example_id", Uuid, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("milliseconds", BigInteger, nullable=False),
    Column("fooled", JSONB, nullable=False),
)

tally = Table(
    "tally",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("segment_id", Uuid, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("author_id", Uuid, primary_key=True),
    *(Column(name, Integer, nullable=False) for name in Tally._fields),
)
Index("ix_tally_author_id_round_id", tally.c.author_id, tally.c.round_id)

round_history = Table(
    "round_history",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("pace", Integer, primary_key=True),
    Column("bucket_start", MOMENT, primary_key=True),
    *(Column(name, Integer, nullable=False) for name in HistoryCounts._fields),
)

author_history = Table(
    "author_history",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("pace", Integer, primary_key=True),
    Column("bucket_start", MOMENT, primary_key=True),
    Column("author_id", Uuid, primary_key=True),
    *(Column(name, Integer, nullable=False) for name in AuthorHistoryCounts._fields),
)

fooling_pattern = Table(
    "fooling_pattern",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("segment_id", Uuid, primary_key=True),
    Column("answered", Text, primary_key=True),
    Column("fooled", Text, primary_key=True),
    *(Column(name, Integer, nullable=False) for name in PatternCounts._fields),
)

group_tally = Table(
    "group_tally",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("dimension", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    *(Column(name, Integer, nullable=False) for name in Tally._fields),
)

group_author = Table(
    "group_author",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("dimension", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("author_id", Uuid, primary_key=True),
    *(Column(name, Integer, nullable=False) for name in AuthorSums._fields),
)

example_count = Table(
    "census",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    *(Column(name, Integer, nullable=False) for name in ExampleCounts._fields),
)

effort = Table(
    "effort",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("milliseconds", BigInteger, nullable=False),
    Column("timed_tries", Integer, nullable=False),
)

survival = Table(
    "survival",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("tries", Integer, primary_key=True),
    *(Column(name, Integer, nullable=False) for name in SurvivalCounts._fields),
)

person_tally, person_try, person_week = person_tables(metadata)

model_board = Table(
    "model_board",
    metadata,
    Column("task_slug", Text, primary_key=True),
    Column("revision", Uuid, nullable=False),
    Column("as_of", MOMENT, nullable=False),
)
"""The boards of tasks' models: a row for each task that events of models or scores have named."""

submission = Table(
    "submission",
    metadata,
    Column("submission_id", Uuid, primary_key=True),
    Column("task_slug", Text, nullable=False),
    Column("submitted_by", Uuid, nullable=False),
    Column("named_version", Integer),
    Column("model_name", Text),
    Column("number", Integer),
    Column("serving_name", Text),
    Column("state_version", Integer),
    Column("state", Text),
    Column("anonymous", Boolean),
    Column("card_version", Integer),
    Column("trained_on", JSONB),
    Column("published_at", MOMENT),
)
Index("ix_submission_task_slug", submission.c.task_slug)
Index("ix_submission_submitted_by", submission.c.submitted_by)

score = Table(
    "score",
    metadata,
    Column("evaluation_id", Uuid, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("task_slug", Text, nullable=False),
    Column("model", JSONB, nullable=False),
    Column("dataset", JSONB, nullable=False),
    Column("metric_version", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("fault", Text),
    Column("reason", Text),
    Column("happened_at", MOMENT, nullable=False),
    Column("metrics", JSONB, nullable=False),
    Column("influences", LargeBinary),
    Column("failed_items", Integer),
    Column("constant_answer", Text),
    Column("target_of_round", Boolean),
)
Index("ix_score_task_slug", score.c.task_slug)
Index("ix_score_submitted_by", score.c.model["submitted_by"].astext)
Index("ix_score_dataset_id", score.c.dataset["dataset_id"].astext)
"""Evaluations; `influences` are those of `metrics` in their order, one after another."""

read_models = (
    task_configuration,
    round_,
    segment,
    example,
    answer,
    vote,
    context_effort,
    tally,
    round_history,
    author_history,
    fooling_pattern,
    group_tally,
    group_author,
    example_count,
    effort,
    survival,
    person_tally,
    person_try,
    person_week,
    model_board,
    submission,
    score,
)
