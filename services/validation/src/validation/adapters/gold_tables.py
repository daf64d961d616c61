"""Tables of gold: known items, their showings, people's answers, and people's standing.

`gold_item` stores texts of its own, not references, so an item stays as its validators saw it. `gold_answer` has the
columns of `vote` as far as they fit, and is no vote: nothing here is counted or resolved.
"""

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Double,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
)
from sqlalchemy.dialects.postgresql import JSONB

from validation.adapters.tables import metadata

gold_item = Table(
    "gold_item",
    metadata,
    Column("gold_id", Uuid, primary_key=True),
    Column("task_id", Uuid, nullable=False),
    Column("kind", Text, nullable=False),
    Column("example_id", Uuid, unique=True),
    Column("resolved_at", DateTime(timezone=True)),
    Column("author_id", Uuid, nullable=False),
    Column("configuration_version", Integer, nullable=False),
    Column("context", JSONB, nullable=False),
    Column("input", JSONB, nullable=False),
    Column("claimed", Text, nullable=False),
    Column("explanation", Text, nullable=False),
    Column("answers", JSONB, nullable=False),
    Column("added_at", DateTime(timezone=True), nullable=False),
    Column("shown", Integer, nullable=False),
    Column("answered", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("retirement", Text),
    Column("retired_at", DateTime(timezone=True)),
)
"""`example_id` and `resolved_at` are those of the example that the item was made of, null for an attention check. The
item stands only while the example's resolution does; the time identifies it.
"""
in_pool = gold_item.c.retired_at.is_(None)
Index("ix_gold_item_task_id", gold_item.c.task_id, gold_item.c.gold_id)
Index(
    "ix_gold_item_pool",
    gold_item.c.task_id,
    gold_item.c.shown,
    gold_item.c.gold_id,
    postgresql_where=in_pool,
)

gold_showing = Table(
    "gold_showing",
    metadata,
    Column("showing_id", Uuid, primary_key=True),
    Column("gold_id", Uuid, ForeignKey("gold_item.gold_id"), nullable=False),
    Column("task_id", Uuid, nullable=False),
    Column("round_id", Uuid, nullable=False),
    Column("person_id", Uuid, nullable=False),
    Column("configuration_version", Integer, nullable=False),
    Column("after_answers", Integer, nullable=False),
    Column("shown_at", DateTime(timezone=True), nullable=False),
    Column("answered_at", DateTime(timezone=True)),
    Column("passed", Boolean),
    Column("version", Integer, nullable=False, server_default="0"),
    UniqueConstraint("gold_id", "person_id"),
)
"""`answered_at` and `passed` belong to the first answer other than `unsure`, and stay when it is undone or changed.
Without such an answer, `passed` is null.
"""
Index(
    "ix_gold_showing_person_id_task_id",
    gold_showing.c.person_id,
    gold_showing.c.task_id,
    gold_showing.c.answered_at,
)

gold_answer = Table(
    "gold_answer",
    metadata,
    Column("vote_id", Uuid, primary_key=True),
    Column("showing_id", Uuid, ForeignKey("gold_showing.showing_id"), nullable=False, unique=True),
    Column("lease_id", Uuid, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("option", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("counted", Boolean, nullable=False),
    Column("seconds", Double, nullable=False),
    Column("cast_at", DateTime(timezone=True), nullable=False),
    Column("metadata", JSONB, nullable=False),
    Column("agrees", Boolean),
    Column("judged_at", DateTime(timezone=True)),
    Column("corrected", Text),
    Column("explanation", Text),
    Column("revealed_at", DateTime(timezone=True)),
)

validator = Table(
    "validator",
    metadata,
    Column("task_id", Uuid, primary_key=True),
    Column("person_id", Uuid, primary_key=True),
    Column("decided_state", Text),
    Column("decision_reason", Text),
    Column("decided_at", DateTime(timezone=True)),
    Column("appeal_reason", Text),
    Column("appealed_at", DateTime(timezone=True)),
)
"""A person who has answered in a task, with the owner's newest decision and the appeal, if there are any."""
