"""Tables of the plumbing, made by each service's first migration.

These functions are history once released: a later change of a table is a new function and a new migration.
"""

import sqlalchemy as sa
from alembic.operations import Operations

# A second or so for a million rows, in which writers of this one table wait.
SHORT_LOCK = "-- squawk-ignore require-concurrent-index-creation\n"
OUTBOX_INDEXES = (
    ("ix_outbox_waiting", "id", "sent_at IS NULL AND hold IS NULL"),
    ("ix_outbox_held", "aggregate_id, topic, id", "sent_at IS NULL AND hold IN ('parked', 'behind')"),
    ("ix_outbox_parked", "aggregate_id, topic", "sent_at IS NULL AND hold = 'parked'"),
    ("ix_outbox_sent_at", "sent_at", "sent_at IS NOT NULL"),
)


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


def allow_parking(op: Operations) -> None:
    """Let outbox rows be held: those that can't be sent, and the later ones of their aggregates."""
    op.add_column("outbox", sa.Column("hold", sa.Text))
    op.add_column("outbox", sa.Column("reason", sa.Text))
    op.add_column("outbox", sa.Column("parked_at", sa.DateTime(timezone=True)))
    op.add_column("outbox", sa.Column("attempts", sa.Integer, server_default="0", nullable=False))
    for name, columns, where in OUTBOX_INDEXES:
        op.execute(f"{SHORT_LOCK}CREATE INDEX {name} ON outbox ({columns}) WHERE {where}")
    op.execute("-- squawk-ignore require-concurrent-index-deletion\nDROP INDEX ix_outbox_unsent")


def forbid_parking(op: Operations) -> None:
    """Undo `allow_parking`."""
    op.execute(f"{SHORT_LOCK}CREATE INDEX ix_outbox_unsent ON outbox (id) WHERE sent_at IS NULL")
    for name, _, _ in OUTBOX_INDEXES:
        op.drop_index(name, "outbox")
    for column in ("attempts", "parked_at", "reason", "hold"):
        op.drop_column("outbox", column)


def keep_dead_letters(op: Operations) -> None:
    """Keep dead letters themselves, so that they can be taken in again, and note which partitions are held."""
    op.add_column("dead_letter", sa.Column("key", sa.LargeBinary))
    op.add_column("dead_letter", sa.Column("value", sa.LargeBinary))
    op.add_column("dead_letter", sa.Column("headers", sa.LargeBinary))
    op.add_column("dead_letter", sa.Column("attempts", sa.Integer, server_default="1", nullable=False))
    op.add_column("dead_letter", sa.Column("requested_at", sa.DateTime(timezone=True)))
    op.execute(
        f"{SHORT_LOCK}CREATE INDEX ix_dead_letter_requested ON dead_letter (consumer) WHERE requested_at IS NOT NULL"
    )
    op.create_table(
        "held_partition",
        sa.Column("consumer", sa.Text, nullable=False),
        sa.Column("topic", sa.Text, nullable=False),
        sa.Column("partition", sa.Integer, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("held_since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("consumer", "topic", "partition", name="pk_held_partition"),
    )


def forget_dead_letters(op: Operations) -> None:
    """Undo `keep_dead_letters`."""
    op.drop_table("held_partition")
    for column in ("requested_at", "attempts", "headers", "value", "key"):
        op.drop_column("dead_letter", column)


def date_inbox(op: Operations) -> None:
    """Note when an event was taken in, so that old rows can be pruned; those that stand count from now on."""
    op.add_column("inbox", sa.Column("taken_at", sa.DateTime(timezone=True), server_default=sa.func.now()))
    op.execute(f"{SHORT_LOCK}CREATE INDEX ix_inbox_taken_at ON inbox (taken_at)")


def undate_inbox(op: Operations) -> None:
    """Undo `date_inbox`."""
    op.drop_index("ix_inbox_taken_at", "inbox")
    op.drop_column("inbox", "taken_at")


def index_idempotency(op: Operations) -> None:
    """Let old replies be found, so that they can be pruned."""
    op.execute(f"{SHORT_LOCK}CREATE INDEX ix_idempotency_created_at ON idempotency (created_at)")


def unindex_idempotency(op: Operations) -> None:
    """Undo `index_idempotency`."""
    op.drop_index("ix_idempotency_created_at", "idempotency")
