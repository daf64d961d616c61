"""Tables of the plumbing, made by each service's first migration.

These functions are history once released: a later change of a table is a new function and a new migration.
"""

import sqlalchemy as sa
from alembic.operations import Operations


def create_outbox(op: Operations) -> None:
    """Create the outbox with the index that the relay reads by."""
    op.create_table(
        "outbox",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("event_id", sa.Uuid, nullable=False),
        sa.Column("topic", sa.Text, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("aggregate_id", sa.Uuid, nullable=False),
        sa.Column("aggregate_version", sa.Integer, nullable=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.Column("traceparent", sa.Text),
        sa.Column("occurred_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint("event_id", name="uq_outbox_event_id"),
    )
    op.create_index("ix_outbox_unsent", "outbox", ["id"], postgresql_where=sa.text("sent_at IS NULL"))


def create_inbox(op: Operations) -> None:
    """Create the inbox: one row for each event that a consumer has taken in."""
    op.create_table(
        "inbox",
        sa.Column("consumer", sa.Text, nullable=False),
        sa.Column("event_id", sa.Uuid, nullable=False),
        sa.PrimaryKeyConstraint("consumer", "event_id", name="pk_inbox"),
    )


def create_idempotency(op: Operations) -> None:
    """Create the store of replies to requests that carried an Idempotency-Key."""
    op.create_table(
        "idempotency",
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("response", sa.JSON, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", "scope", "key", name="pk_idempotency"),
    )


def create_lease(op: Operations) -> None:
    """Create the table of leases: who holds what until when."""
    op.create_table(
        "lease",
        sa.Column("lease_id", sa.Uuid, nullable=False),
        sa.Column("resource_id", sa.Uuid, nullable=False),
        sa.Column("holder_id", sa.Uuid, nullable=False),
        sa.Column("granted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("lease_id", name="pk_lease"),
        sa.UniqueConstraint("resource_id", "holder_id", name="uq_lease_resource_id_holder_id"),
    )
    op.create_index("ix_lease_holder_id", "lease", ["holder_id"])


def create_dead_letter(op: Operations) -> None:
    """Create the record of dead letters: which events of which topic a consumer gave up, and why."""
    op.create_table(
        "dead_letter",
        sa.Column("consumer", sa.Text, nullable=False),
        sa.Column("topic", sa.Text, nullable=False),
        sa.Column("partition", sa.Integer, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("consumer", "topic", "partition", "position", name="pk_dead_letter"),
    )
