"""Create datasets that models are scored on, models, evaluations and their shards.

Revision ID: 0007
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0007"
down_revision = "0006"

MOMENT = sa.DateTime(timezone=True)
LEASE = ("lease_id", sa.Uuid), ("leased_until", MOMENT)


def upgrade() -> None:
    """Create the tables; what was released before is taken in as datasets to score models on."""
    create_datasets()
    create_models()
    create_evaluations()
    create_shards()
    op.execute(
        "INSERT INTO evaluation_dataset (dataset_id, name, version, title, task_slug, kind, access, licence, "
        "round_id, round_number, digest, created_by, requested_at, state, attempts) "
        "SELECT dataset_id, name, version, dataset.title, task_slug, 'round', 'open', licence, "
        "round_id, number, digest, released_by, released_at, 'preparing', 0 "
        "FROM dataset LEFT JOIN round USING (round_id)"
    )


def downgrade() -> None:
    """Drop them."""
    for name in ("shard", "evaluation", "evaluated_model", "evaluation_dataset"):
        op.drop_table(name)


def create_datasets() -> None:
    """Create the datasets."""
    op.create_table(
        "evaluation_dataset",
        sa.Column("dataset_id", sa.Uuid, nullable=False),
        *(needed(name, sa.Text) for name in ("name", "title", "task_slug", "kind", "access", "licence")),
        needed("version", sa.Integer),
        sa.Column("round_id", sa.Uuid),
        sa.Column("round_number", sa.Integer),
        needed("digest", sa.Text),
        sa.Column("items_key", sa.Text),
        sa.Column("requests_key", sa.Text),
        *(sa.Column(name, sa.Integer) for name in ("items", "clusters", "requests")),
        sa.Column("variants", JSONB, nullable=False, server_default="{}"),
        needed("created_by", sa.Uuid),
        needed("requested_at", MOMENT),
        needed("state", sa.Text),
        needed("attempts", sa.Integer),
        *(sa.Column(name, kind) for name, kind in LEASE),
        sa.Column("error", JSONB),
        sa.PrimaryKeyConstraint("dataset_id", name="pk_evaluation_dataset"),
        sa.UniqueConstraint("name", "version", name="uq_evaluation_dataset_name_version"),
    )
    op.create_index("ix_evaluation_dataset_task_slug", "evaluation_dataset", ["task_slug", "dataset_id"])
    op.create_index(
        "ix_evaluation_dataset_waiting",
        "evaluation_dataset",
        ["requested_at"],
        postgresql_where=sa.text("state = 'preparing'"),
    )


def create_models() -> None:
    """Create the models."""
    op.create_table(
        "evaluated_model",
        sa.Column("name", sa.Text, nullable=False),
        *(needed(name, sa.Text) for name in ("task_slug", "model_digest", "handler_digest")),
        sa.Column("submitted_by", sa.Uuid),
        *(needed(name, sa.Boolean) for name in ("published", "prediction_only")),
        sa.PrimaryKeyConstraint("name", name="pk_evaluated_model"),
    )


def create_evaluations() -> None:
    """Create the evaluations."""
    op.create_table(
        "evaluation",
        sa.Column("evaluation_id", sa.Uuid, nullable=False),
        needed("task_slug", sa.Text),
        needed("dataset_id", sa.Uuid),
        *(needed(name, sa.Text) for name in ("model_name", "model_digest", "handler_digest")),
        sa.Column("submitted_by", sa.Uuid),
        needed("prediction_only", sa.Boolean),
        needed("metric_version", sa.Integer),
        needed("state", sa.Text),
        needed("requested_at", MOMENT),
        sa.Column("begun_at", MOMENT),
        sa.Column("ended_at", MOMENT),
        *(needed(name, sa.Integer) for name in ("event_version", "shards", "shards_done", "attempts")),
        sa.Column("waits_for", sa.Text),
        *(sa.Column(name, kind) for name, kind in LEASE),
        sa.Column("error", JSONB),
        sa.Column("result", JSONB),
        sa.Column("predictions_key", sa.Text),
        sa.PrimaryKeyConstraint("evaluation_id", name="pk_evaluation"),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["evaluation_dataset.dataset_id"],
            name="fk_evaluation_dataset_id_evaluation_dataset",
        ),
        sa.UniqueConstraint(
            *("model_name", "model_digest", "handler_digest", "dataset_id", "metric_version"),
            name="uq_evaluation_model",
        ),
    )
    op.create_index("ix_evaluation_task_slug", "evaluation", ["task_slug", "evaluation_id"])
    op.create_index("ix_evaluation_dataset_id_model_name", "evaluation", ["dataset_id", "model_name"])
    op.create_index(
        "ix_evaluation_open",
        "evaluation",
        ["requested_at"],
        postgresql_where=sa.text("state IN ('queued', 'running', 'finishing')"),
    )


def create_shards() -> None:
    """Create the shards."""
    op.create_table(
        "shard",
        sa.Column("shard_id", sa.Uuid, nullable=False),
        needed("evaluation_id", sa.Uuid),
        needed("number", sa.Integer),
        needed("first_request", sa.BigInteger),
        needed("requests", sa.Integer),
        needed("state", sa.Text),
        needed("requested_at", MOMENT),
        needed("attempts", sa.Integer),
        *(sa.Column(name, kind) for name, kind in LEASE),
        sa.Column("answers", sa.LargeBinary),
        sa.Column("error", JSONB),
        sa.PrimaryKeyConstraint("shard_id", name="pk_shard"),
        sa.ForeignKeyConstraint(
            ["evaluation_id"], ["evaluation.evaluation_id"], name="fk_shard_evaluation_id_evaluation"
        ),
        sa.UniqueConstraint("evaluation_id", "number", name="uq_shard_evaluation_id_number"),
    )
    op.create_index(
        "ix_shard_open", "shard", ["evaluation_id", "number"], postgresql_where=sa.text("state = 'open'")
    )


def needed(
    name: str, kind: type[sa.types.TypeEngine[object]] | sa.types.TypeEngine[object]
) -> sa.Column[object]:
    """Return a column that is never empty."""
    return sa.Column(name, kind, nullable=False)
