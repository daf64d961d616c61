"""Create tasks, rounds, segments, contexts, assignments, examples, inspections and the plumbing.

Revision ID: 0001
"""

import sqlalchemy as sa
from alembic import op
from dynabench_common import plumbing
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0001"
down_revision: str | None = None


def upgrade() -> None:
    plumbing.create_outbox(op)
    plumbing.create_idempotency(op)
    create_tasks()
    create_rounds()
    create_contexts()
    create_assignments()
    create_examples()
    create_inspections()


def create_tasks() -> None:
    op.create_table(
        "task",
        sa.Column("task_id", sa.Uuid, nullable=False),
        sa.Column("slug", sa.Text, nullable=False),
        sa.Column("configuration_version", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created_by", sa.Uuid, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("task_id", name="pk_task"),
        sa.UniqueConstraint("slug", name="uq_task_slug"),
    )
    op.create_table(
        "task_configuration",
        sa.Column("task_id", sa.Uuid, nullable=False),
        sa.Column("configuration_version", sa.Integer, nullable=False),
        sa.Column("document", sa.JSON, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("task_id", "configuration_version", name="pk_task_configuration"),
        sa.ForeignKeyConstraint(["task_id"], ["task.task_id"], name="fk_task_configuration_task_id_task"),
    )


def create_rounds() -> None:
    op.create_table(
        "round",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("task_id", sa.Uuid, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("targets", ARRAY(sa.Text), nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("round_id", name="pk_round"),
        sa.UniqueConstraint("task_id", "number", name="uq_round_task_id_number"),
        sa.ForeignKeyConstraint(["task_id"], ["task.task_id"], name="fk_round_task_id_task"),
    )
    op.create_table(
        "segment",
        sa.Column("segment_id", sa.Uuid, nullable=False),
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("configuration_version", sa.Integer, nullable=False),
        sa.Column("targets", sa.JSON, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("segment_id", name="pk_segment"),
        sa.UniqueConstraint("round_id", "number", name="uq_segment_round_id_number"),
        sa.ForeignKeyConstraint(["round_id"], ["round.round_id"], name="fk_segment_round_id_round"),
    )


def create_contexts() -> None:
    op.create_table(
        "context",
        sa.Column("context_id", sa.Uuid, nullable=False),
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("fields", sa.JSON, nullable=False),
        sa.Column("tags", ARRAY(sa.Text), nullable=False),
        sa.Column("fingerprint", sa.LargeBinary, nullable=False),
        sa.Column("use_count", sa.Integer, nullable=False),
        sa.Column("foolings", sa.Integer, server_default="0", nullable=False),
        sa.Column("unvalidated", sa.Integer, server_default="0", nullable=False),
        sa.Column("shuffle", sa.Double, server_default=sa.text("random()"), nullable=False),
        sa.Column("is_withdrawn", sa.Boolean, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("context_id", name="pk_context"),
        sa.UniqueConstraint("round_id", "fingerprint", name="uq_context_round_id_fingerprint"),
        sa.ForeignKeyConstraint(["round_id"], ["round.round_id"], name="fk_context_round_id_round"),
    )
    for policy, columns in {
        "least_used": ["use_count", "shuffle"],
        "uniform": ["shuffle"],
        "least_fooled": ["foolings", "use_count", "shuffle"],
        "validation_failed": ["unvalidated", "use_count", "shuffle"],
    }.items():
        op.create_index(
            f"ix_context_{policy}",
            "context",
            ["round_id", *columns],
            postgresql_where=sa.text("NOT is_withdrawn"),
        )
    op.create_index("ix_context_round_id_context_id", "context", ["round_id", "context_id"])
    op.create_table(
        "context_flag",
        sa.Column("context_id", sa.Uuid, nullable=False),
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("flagged_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("context_id", "person_id", name="pk_context_flag"),
        sa.ForeignKeyConstraint(
            ["context_id"], ["context.context_id"], name="fk_context_flag_context_id_context"
        ),
    )


def create_assignments() -> None:
    op.create_table(
        "assignment",
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("context_id", sa.Uuid, nullable=False),
        sa.Column("assignment_id", sa.Uuid, nullable=False),
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("condition", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("assigned_label", sa.Text, nullable=False),
        sa.Column("assigned_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("person_id", "context_id", name="pk_assignment"),
        sa.UniqueConstraint("assignment_id", name="uq_assignment_assignment_id"),
        sa.ForeignKeyConstraint(
            ["context_id"], ["context.context_id"], name="fk_assignment_context_id_context"
        ),
        sa.ForeignKeyConstraint(["round_id"], ["round.round_id"], name="fk_assignment_round_id_round"),
    )
    op.create_table(
        "participation",
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("context_id", sa.Uuid),
        sa.PrimaryKeyConstraint("round_id", "person_id", name="pk_participation"),
        sa.ForeignKeyConstraint(["round_id"], ["round.round_id"], name="fk_participation_round_id_round"),
        sa.ForeignKeyConstraint(
            ["person_id", "context_id"],
            ["assignment.person_id", "assignment.context_id"],
            name="fk_participation_person_id_context_id_assignment",
        ),
    )


def create_examples() -> None:
    op.create_table(
        "example",
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("task_id", sa.Uuid, nullable=False),
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("segment_id", sa.Uuid),
        sa.Column("context_id", sa.Uuid, nullable=False),
        sa.Column("author_id", sa.Uuid, nullable=False),
        sa.Column("configuration_version", sa.Integer, nullable=False),
        sa.Column("context", sa.JSON, nullable=False),
        sa.Column("input", sa.JSON, nullable=False),
        sa.Column("context_tags", ARRAY(sa.Text), nullable=False),
        sa.Column("claimed", sa.JSON, nullable=False),
        sa.Column("claimed_labels", ARRAY(sa.Text), nullable=False),
        sa.Column("assigned_label", sa.Text, nullable=False),
        sa.Column("perturbation_of", sa.Uuid),
        sa.Column("metadata", sa.JSON, nullable=False),
        sa.Column("answers", sa.JSON, nullable=False),
        sa.Column("verdict", sa.Text, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("seconds_since_context", sa.Double, nullable=False),
        sa.Column("probes_before", sa.Integer, nullable=False),
        sa.Column("inspections_before", sa.Integer, nullable=False),
        sa.Column("hint_shown", sa.Boolean, nullable=False),
        sa.Column("condition", sa.Text, nullable=False),
        sa.Column("cohort", sa.Text, nullable=False),
        sa.Column("milliseconds", sa.Double, nullable=False),
        sa.Column("label_explanation", sa.Text, nullable=False),
        sa.Column("model_explanation", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("retracted_at", sa.DateTime(timezone=True)),
        sa.Column("version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("example_id", name="pk_example"),
        sa.UniqueConstraint(
            "context_id", "author_id", "attempt", name="uq_example_context_id_author_id_attempt"
        ),
        sa.ForeignKeyConstraint(["task_id"], ["task.task_id"], name="fk_example_task_id_task"),
        sa.ForeignKeyConstraint(["round_id"], ["round.round_id"], name="fk_example_round_id_round"),
        sa.ForeignKeyConstraint(["segment_id"], ["segment.segment_id"], name="fk_example_segment_id_segment"),
        sa.ForeignKeyConstraint(["context_id"], ["context.context_id"], name="fk_example_context_id_context"),
        sa.ForeignKeyConstraint(
            ["perturbation_of"], ["example.example_id"], name="fk_example_perturbation_of_example"
        ),
    )
    for columns in (
        ["round_id", "author_id", "example_id"],
        ["round_id", "example_id"],
        ["round_id", "verdict", "retracted_at"],
        ["task_id", "example_id"],
    ):
        op.create_index("ix_example_" + "_".join(columns), "example", columns)
    op.create_index("ix_example_claimed_labels", "example", ["claimed_labels"], postgresql_using="gin")


def create_inspections() -> None:
    op.create_table(
        "inspection",
        sa.Column("inspection_id", sa.Uuid, nullable=False),
        sa.Column("round_id", sa.Uuid, nullable=False),
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("example_id", sa.Uuid, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("inspected_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("inspection_id", name="pk_inspection"),
        sa.ForeignKeyConstraint(["round_id"], ["round.round_id"], name="fk_inspection_round_id_round"),
        sa.ForeignKeyConstraint(
            ["example_id"], ["example.example_id"], name="fk_inspection_example_id_example"
        ),
    )
    op.create_index("ix_inspection_round_id_person_id", "inspection", ["round_id", "person_id"])


def downgrade() -> None:
    for table in (
        "inspection",
        "example",
        "participation",
        "assignment",
        "context_flag",
        "context",
        "segment",
        "round",
        "task_configuration",
        "task",
        "idempotency",
        "outbox",
    ):
        op.drop_table(table)
