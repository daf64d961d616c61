"""The tables of serving: what should be served, what was seen of it, which workers are in use, which targets fail."""

from sqlalchemy import Boolean, CheckConstraint, Column, DateTime, Integer, Table, Text, Uuid, text
from sqlalchemy.dialects.postgresql import JSONB

from registry.adapters.tables import metadata

MOMENT = DateTime(timezone=True)
JSON = JSONB(none_as_null=True)

served_model = Table(
    "served_model",
    metadata,
    Column("name", Text, primary_key=True),
    Column("origin", Text, nullable=False),
    Column("submission_id", Uuid, index=True),
    Column("pool", Text, nullable=False),
    Column("declaration", JSON, nullable=False),
    Column("archive", JSON, nullable=False),
    Column("wanted", Boolean, nullable=False),
    Column("updated_at", MOMENT, nullable=False, server_default=text("now()")),
    CheckConstraint("(origin = 'submission') = (submission_id IS NOT NULL)", name="origin"),
)
"""Models that should be served. `declaration` has the keys of an entry of models.yaml; `archive` names the file and its
digests, or holds the `problem` why there is none."""

serving_state = Table(
    "serving_state",
    metadata,
    Column("name", Text, primary_key=True),
    Column("record", JSON, nullable=False),
    Column("seen_at", MOMENT, nullable=False, server_default=text("now()")),
)
"""The last state that the reconciler saw of each model that should be served."""

reconciler = Table(
    "reconciler",
    metadata,
    Column("one", Boolean, primary_key=True, server_default=text("true")),
    Column("epoch", Integer, nullable=False),
    Column("beat_at", MOMENT, nullable=False),
    Column("has_looked", Boolean, nullable=False),
    Column("problem", Text),
    CheckConstraint("one", name="one"),
)
"""One row: number of takeovers, last heartbeat, validity of `serving_state`, and the problem of the models file."""

worker_use = Table(
    "worker_use",
    metadata,
    Column("serving_name", Text, primary_key=True),
    Column("used_at", MOMENT, nullable=False),
)
"""Time of the last request for workers that start on demand."""

target_outage = Table(
    "target_outage",
    metadata,
    Column("serving_name", Text, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("since", MOMENT),
    Column("looked_at", MOMENT),
    Column("told_at", MOMENT),
)
"""Observed targets of open rounds: start of each outage, and time of its report."""
