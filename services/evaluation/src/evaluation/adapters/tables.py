"""Tables of evaluations: datasets, models, evaluations with shards and logs, turns, and leaks.

`evaluation_dataset` and `shard` are job queues. The worker that owns `lease_id` works on the row until `leased_until`.
`evaluation` is a queue too, once all of its shards are answered. The migrations of scoring make these tables.
"""

from dynabench_common.database.connections import new_metadata
from sqlalchemy import (
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
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

metadata = new_metadata()
MOMENT = DateTime(timezone=True)
JSON = JSONB(none_as_null=True)

evaluation_dataset = Table(
    "evaluation_dataset",
    metadata,
    Column("dataset_id", Uuid, primary_key=True),
    Column("name", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("task_slug", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("access", Text, nullable=False),
    Column("licence", Text, nullable=False),
    Column("round_id", Uuid),
    Column("round_number", Integer),
    Column("digest", Text, nullable=False),
    Column("items_key", Text),
    Column("requests_key", Text),
    Column("items", Integer),
    Column("clusters", Integer),
    Column("requests", Integer),
    Column("variants", JSONB, nullable=False, server_default="{}"),
    Column("created_by", Uuid, nullable=False),
    Column("requested_at", MOMENT, nullable=False),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("lease_id", Uuid),
    Column("leased_until", MOMENT),
    Column("error", JSON),
    UniqueConstraint("name", "version"),
)
Index("ix_evaluation_dataset_task_slug", evaluation_dataset.c.task_slug, evaluation_dataset.c.dataset_id)
Index(
    "ix_evaluation_dataset_waiting",
    evaluation_dataset.c.requested_at,
    postgresql_where=text("state = 'preparing'"),
)

evaluated_model = Table(
    "evaluated_model",
    metadata,
    Column("name", Text, primary_key=True),
    Column("task_slug", Text, nullable=False),
    Column("model_digest", Text, nullable=False),
    Column("handler_digest", Text, nullable=False),
    Column("submitted_by", Uuid),
    Column("published", Boolean, nullable=False),
    Column("prediction_only", Boolean, nullable=False),
)

evaluation = Table(
    "evaluation",
    metadata,
    Column("evaluation_id", Uuid, primary_key=True),
    Column("task_slug", Text, nullable=False),
    Column("dataset_id", Uuid, ForeignKey("evaluation_dataset.dataset_id"), nullable=False),
    Column("model_name", Text, nullable=False),
    Column("model_digest", Text, nullable=False),
    Column("handler_digest", Text, nullable=False),
    Column("submitted_by", Uuid),
    Column("prediction_only", Boolean, nullable=False),
    Column("metric_version", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("requested_at", MOMENT, nullable=False),
    Column("begun_at", MOMENT),
    Column("ended_at", MOMENT),
    Column("event_version", Integer, nullable=False),
    Column("shards", Integer, nullable=False),
    Column("shards_done", Integer, nullable=False),
    Column("waits_for", Text),
    Column("attempts", Integer, nullable=False),
    Column("lease_id", Uuid),
    Column("leased_until", MOMENT),
    Column("error", JSON),
    Column("result", JSON),
    Column("predictions_key", Text),
    Column("external", JSON),
    UniqueConstraint(
        *("model_name", "model_digest", "handler_digest", "dataset_id", "metric_version"),
        name="uq_evaluation_model",
    ),
)
Index("ix_evaluation_task_slug", evaluation.c.task_slug, evaluation.c.evaluation_id)
Index("ix_evaluation_dataset_id_model_name", evaluation.c.dataset_id, evaluation.c.model_name)
Index(
    "ix_evaluation_open",
    evaluation.c.requested_at,
    postgresql_where=text("state IN ('queued', 'running', 'finishing')"),
)

shard = Table(
    "shard",
    metadata,
    Column("shard_id", Uuid, primary_key=True),
    Column("evaluation_id", Uuid, ForeignKey("evaluation.evaluation_id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("first_request", BigInteger, nullable=False),
    Column("requests", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("requested_at", MOMENT, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("lease_id", Uuid),
    Column("leased_until", MOMENT),
    Column("answers", LargeBinary),
    Column("begun_at", MOMENT),
    Column("answered_at", MOMENT),
    Column("error", JSON),
    UniqueConstraint("evaluation_id", "number"),
)
Index("ix_shard_open", shard.c.evaluation_id, shard.c.number, postgresql_where=text("state = 'open'"))
Index(
    "ix_shard_held", shard.c.evaluation_id, postgresql_where=text("state = 'open' AND lease_id IS NOT NULL")
)

evaluation_turn = Table(
    "evaluation_turn",
    metadata,
    Column("submitter", Text, primary_key=True),
    Column("taken_at", MOMENT, nullable=False),
)

evaluation_line = Table(
    "evaluation_line",
    metadata,
    Column("line_id", Uuid, primary_key=True),
    Column("evaluation_id", Uuid, ForeignKey("evaluation.evaluation_id"), nullable=False),
    Column("at", MOMENT, nullable=False),
    Column("event", Text, nullable=False),
    Column("facts", JSONB, nullable=False),
)
Index("ix_evaluation_line_evaluation_id", evaluation_line.c.evaluation_id, evaluation_line.c.line_id)

canary = Table(
    "canary",
    metadata,
    Column("word", Text, primary_key=True),
    Column("dataset_id", Uuid, ForeignKey("evaluation_dataset.dataset_id"), nullable=False),
)
Index("ix_canary_dataset_id", canary.c.dataset_id)

leak = Table(
    "leak",
    metadata,
    Column("dataset_id", Uuid, ForeignKey("evaluation_dataset.dataset_id"), primary_key=True),
    Column("place", Text, primary_key=True),
    Column("reference", Uuid, primary_key=True),
    Column("name", Text, nullable=False),
    Column("found_at", MOMENT, nullable=False),
)

OWN = (evaluation.c.submitted_by, evaluation_dataset.c.created_by)
"""Columns that name a person in the tables whose rows that person may read."""
