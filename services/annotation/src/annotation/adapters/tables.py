"""The tables of annotation. Migrations make them; a test compares the two.

Documents are `json`, not `jsonb`: text is stored as it came, keys in their order.
"""

from dynabench_common.database.connections import new_metadata
from dynabench_common.events.dead_letters import dead_letter_table
from dynabench_common.events.inbox import inbox_table
from dynabench_common.events.outbox import outbox_table
from dynabench_common.http.idempotency import idempotency_table
from dynabench_common.onboarding.training import onboarding_tables
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    TableValuedAlias,
    Text,
    UniqueConstraint,
    Uuid,
    and_,
    cast,
    column,
    exists,
    func,
    or_,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY

metadata = new_metadata()
outbox = outbox_table(metadata)
idempotency = idempotency_table(metadata)
inbox = inbox_table(metadata)
dead_letter = dead_letter_table(metadata)
onboarding = onboarding_tables(metadata)

task = Table(
    "task",
    metadata,
    Column("task_id", Uuid, primary_key=True),
    Column("slug", Text, nullable=False, unique=True),
    Column("configuration_version", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created_by", Uuid, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("pseudonym_key", LargeBinary),
)

task_configuration = Table(
    "task_configuration",
    metadata,
    Column("task_id", Uuid, ForeignKey("task.task_id"), nullable=False),
    Column("configuration_version", Integer, nullable=False),
    Column("document", JSON, nullable=False),
    Column("source", Text, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False),
    PrimaryKeyConstraint("task_id", "configuration_version"),
)

round_ = Table(
    "round",
    metadata,
    Column("round_id", Uuid, primary_key=True),
    Column("task_id", Uuid, ForeignKey("task.task_id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("targets", ARRAY(Text), nullable=False),
    Column("state", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("origin", Text, nullable=False, server_default=""),
    Column("source", Text, nullable=False, server_default=""),
    UniqueConstraint("task_id", "number"),
)

lost_target = Table(
    "lost_target",
    metadata,
    Column("round_id", Uuid, ForeignKey("round.round_id"), nullable=False),
    Column("lost_at", DateTime(timezone=True), nullable=False),
    Column("target", Text, nullable=False),
    Column("paused", Boolean, nullable=False),
    Column("failing_since", DateTime(timezone=True), nullable=False),
    Column("reason", Text, nullable=False),
    PrimaryKeyConstraint("round_id", "lost_at", "target"),
)

target_outage = Table(
    "target_outage",
    metadata,
    Column("target", Text, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("since", DateTime(timezone=True)),
    Column("reason", Text, nullable=False),
)

segment = Table(
    "segment",
    metadata,
    Column("segment_id", Uuid, primary_key=True),
    Column("round_id", Uuid, ForeignKey("round.round_id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("configuration_version", Integer, nullable=False),
    Column("targets", JSON, nullable=False),
    Column("started_at", DateTime(timezone=True), nullable=False),
    UniqueConstraint("round_id", "number"),
)

context = Table(
    "context",
    metadata,
    Column("context_id", Uuid, primary_key=True),
    Column("round_id", Uuid, ForeignKey("round.round_id"), nullable=False),
    Column("fields", JSON, nullable=False),
    Column("tags", ARRAY(Text), nullable=False),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("use_count", Integer, nullable=False),
    Column("foolings", Integer, nullable=False, server_default="0"),
    Column("unvalidated", Integer, nullable=False, server_default="0"),
    Column("shuffle", Double, nullable=False, server_default=func.random()),
    Column("is_withdrawn", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    UniqueConstraint("round_id", "fingerprint"),
)
for policy, order in {
    "least_used": ("use_count", "shuffle"),
    "uniform": ("shuffle",),
    "least_fooled": ("foolings", "use_count", "shuffle"),
    "validation_failed": ("unvalidated", "use_count", "shuffle"),
}.items():
    Index(
        f"ix_context_{policy}",
        context.c.round_id,
        *(context.c[name] for name in order),
        postgresql_where=~context.c.is_withdrawn,
    )
Index("ix_context_round_id_context_id", context.c.round_id, context.c.context_id)

is_announced = round_.c.version > 0
"""Matches the rounds that lists show; a collection's draft joins them with its first record."""
is_empty_draft = and_(~is_announced, ~exists().where(context.c.round_id == round_.c.round_id))

context_flag = Table(
    "context_flag",
    metadata,
    Column("context_id", Uuid, ForeignKey("context.context_id"), nullable=False),
    Column("person_id", Uuid, nullable=False),
    Column("reason", Text, nullable=False),
    Column("flagged_at", DateTime(timezone=True), nullable=False),
    PrimaryKeyConstraint("context_id", "person_id"),
)

assignment = Table(
    "assignment",
    metadata,
    Column("person_id", Uuid, nullable=False),
    Column("context_id", Uuid, ForeignKey("context.context_id"), nullable=False),
    Column("assignment_id", Uuid, nullable=False, unique=True),
    Column("round_id", Uuid, ForeignKey("round.round_id"), nullable=False),
    Column("condition", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("assigned_label", Text, nullable=False),
    Column("assigned_at", DateTime(timezone=True), nullable=False),
    PrimaryKeyConstraint("person_id", "context_id"),
)

participation = Table(
    "participation",
    metadata,
    Column("round_id", Uuid, ForeignKey("round.round_id"), nullable=False),
    Column("person_id", Uuid, nullable=False),
    Column("context_id", Uuid),
    Column("passed_over", Integer, nullable=False, server_default="0"),
    Column("passed_over_since", DateTime(timezone=True)),
    PrimaryKeyConstraint("round_id", "person_id"),
    ForeignKeyConstraint(["person_id", "context_id"], ["assignment.person_id", "assignment.context_id"]),
)

work_order = Table(
    "work_order",
    metadata,
    Column("order_id", Uuid, primary_key=True),
    Column("round_id", Uuid, ForeignKey("round.round_id"), nullable=False),
    Column("person_id", Uuid, nullable=False),
    Column("name", Text, nullable=False),
    Column("activity", Text, nullable=False),
    Column("topic", Text, nullable=False),
    Column("context_ids", ARRAY(Uuid), nullable=False),
    Column("example_ids", ARRAY(Uuid), nullable=False, server_default="{}"),
    Column("units", Integer, nullable=False),
    Column("due_on", Date, nullable=False),
    Column("assigned_at", DateTime(timezone=True), nullable=False),
    Column("ended_at", DateTime(timezone=True)),
)
is_open_order = work_order.c.ended_at.is_(None)
Index(
    "ix_work_order_open",
    *(work_order.c[name] for name in ("person_id", "round_id", "activity")),
    unique=True,
    postgresql_where=is_open_order,
)
Index("ix_work_order_round", work_order.c.round_id, work_order.c.order_id, postgresql_where=is_open_order)

example = Table(
    "example",
    metadata,
    Column("example_id", Uuid, primary_key=True),
    Column("task_id", Uuid, ForeignKey("task.task_id"), nullable=False),
    Column("round_id", Uuid, ForeignKey("round.round_id"), nullable=False),
    Column("segment_id", Uuid, ForeignKey("segment.segment_id")),
    Column("context_id", Uuid, ForeignKey("context.context_id"), nullable=False),
    Column("author_id", Uuid, nullable=False),
    Column("configuration_version", Integer, nullable=False),
    Column("context", JSON, nullable=False),
    Column("input", JSON, nullable=False),
    Column("context_tags", ARRAY(Text), nullable=False),
    Column("claimed", JSON, nullable=False),
    Column("claimed_labels", ARRAY(Text), nullable=False),
    Column("assigned_label", Text, nullable=False),
    Column("perturbation_of", Uuid, ForeignKey("example.example_id")),
    Column("metadata", JSON, nullable=False),
    Column("answers", JSON, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("seconds_since_context", Double, nullable=False),
    Column("probes_before", Integer, nullable=False),
    Column("inspections_before", Integer, nullable=False),
    Column("hint_shown", Boolean, nullable=False),
    Column("condition", Text, nullable=False),
    Column("cohort", Text, nullable=False),
    Column("milliseconds", Double, nullable=False),
    Column("label_explanation", Text, nullable=False),
    Column("model_explanation", Text, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("retracted_at", DateTime(timezone=True)),
    Column("version", Integer, nullable=False),
    Column("duplicate_of", Uuid),
    Column("overruled_at", DateTime(timezone=True)),
    Column("text_digest", LargeBinary),
    UniqueConstraint("context_id", "author_id", "attempt"),
)
"""`text_digest` is shared by nearly equal texts of a task. Imported examples have none; those that fooled get theirs
bit by bit, when somebody fools a target of the task.
"""
for columns in (
    ("round_id", "author_id", "example_id"),
    ("round_id", "example_id"),
    ("round_id", "verdict", "retracted_at"),
    ("task_id", "example_id"),
):
    Index("ix_example_" + "_".join(columns), *(example.c[name] for name in columns))
is_unexplained_fooling = and_(
    example.c.verdict == "fooled",
    example.c.retracted_at.is_(None),
    example.c.model_explanation == "",
)
"""Matches the tries that fooled their targets and whose author does not say why."""
Index("ix_example_unexplained", example.c.round_id, postgresql_where=is_unexplained_fooling)
waits_for_author = and_(
    example.c.verdict == "undecided", text("CAST(example.answers AS jsonb) @> '[{\"wrong\": null}]'")
)
"""Matches the tries with an answer of which only the author can say whether it is wrong."""
Index("ix_example_waits_for_author", example.c.created_at, postgresql_where=waits_for_author)
counts_as_fooling = and_(
    example.c.verdict == "fooled",
    example.c.retracted_at.is_(None),
    or_(example.c.duplicate_of.is_(None), example.c.overruled_at.is_not(None)),
)
"""Matches the tries that fooled, each text once."""
Index(
    "ix_example_text_digest",
    example.c.task_id,
    example.c.text_digest,
    postgresql_where=example.c.verdict == "fooled",
)
Index("ix_example_claimed_labels", example.c.claimed_labels, postgresql_using="gin")

imported_record = Table(
    "imported_record",
    metadata,
    Column("round_id", Uuid, ForeignKey("round.round_id"), nullable=False),
    Column("source_id", Text, nullable=False),
    Column("example_id", Uuid, ForeignKey("example.example_id"), nullable=False, unique=True),
    Column("digest", LargeBinary, nullable=False),
    PrimaryKeyConstraint("round_id", "source_id"),
)

inspection = Table(
    "inspection",
    metadata,
    Column("inspection_id", Uuid, primary_key=True),
    Column("round_id", Uuid, ForeignKey("round.round_id"), nullable=False),
    Column("person_id", Uuid, nullable=False),
    Column("example_id", Uuid, ForeignKey("example.example_id"), nullable=False),
    Column("target", Text, nullable=False),
    Column("inspected_at", DateTime(timezone=True), nullable=False),
)
Index("ix_inspection_round_id_person_id", inspection.c.round_id, inspection.c.person_id)

probe = Table(
    "probe",
    metadata,
    Column("probe_id", Uuid, primary_key=True),
    Column("round_id", Uuid, ForeignKey("round.round_id"), nullable=False),
    Column("person_id", Uuid, nullable=False),
    Column("targets", ARRAY(Text), nullable=False),
    Column("probed_at", DateTime(timezone=True), nullable=False),
)
Index("ix_probe_round_id_person_id", probe.c.round_id, probe.c.person_id)

example_signature = Table(
    "example_signature",
    metadata,
    Column("example_id", Uuid, ForeignKey("example.example_id"), primary_key=True),
    Column("bands", ARRAY(BigInteger), nullable=False),
)
# Without a pending list, which every search would read through.
Index(
    "ix_example_signature_bands",
    example_signature.c.bands,
    postgresql_using="gin",
    postgresql_with={"fastupdate": "off"},
)


def similar_signatures(bands: object, name: str) -> TableValuedAlias:
    """Return the signatures that share any of these bands and how many; a migration makes the function."""
    columns = column("example_id", Uuid), column("shared", Integer)
    wanted = cast(bands, ARRAY(BigInteger))
    return func.similar_signatures(wanted).table_valued(*columns, name=name)


example_resolution = Table(
    "example_resolution",
    metadata,
    Column("example_id", Uuid, ForeignKey("example.example_id"), primary_key=True),
    Column("is_confirmed", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
)

image = Table(
    "image",
    metadata,
    Column("image_id", Uuid, primary_key=True),
    Column("task_id", Uuid, ForeignKey("task.task_id"), nullable=False),
    Column("uploaded_by", Uuid, nullable=False),
    Column("announced_type", Text, nullable=False),
    Column("announced_size", BigInteger, nullable=False),
    Column("announced_at", DateTime(timezone=True), nullable=False),
    Column("digest", Text),
    Column("media_type", Text),
    Column("size", BigInteger),
    Column("width", Integer),
    Column("height", Integer),
    Column("kept_at", DateTime(timezone=True)),
)
Index("ix_image_announced_at", image.c.announced_at, postgresql_where=image.c.kept_at.is_(None))

OWN = (
    *(onboarding.confirmation.c.person_id, onboarding.attempt.c.person_id),
    *(assignment.c.person_id, participation.c.person_id, context_flag.c.person_id),
    *(inspection.c.person_id, probe.c.person_id, image.c.uploaded_by, work_order.c.person_id),
)
"""Columns that name a person in the tables whose rows that person may read."""
