"""Tables of money: the ledger's entries, and payments to people."""

from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Table,
    Text,
    Uuid,
)

from crowd.adapters.tables import metadata

posting = Table(
    "posting",
    metadata,
    Column("posting_id", Uuid, primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("kind", Text, nullable=False),
    Column("from_account", Text, nullable=False),
    Column("to_account", Text, nullable=False),
    Column("amount_minor", BigInteger, nullable=False),
    Column("currency", Text, nullable=False),
    Column("campaign_id", Uuid, ForeignKey("campaign.campaign_id"), nullable=False),
    Column("assignment_id", Uuid, ForeignKey("assignment.assignment_id"), index=True),
    Column("cause", Text, nullable=False, unique=True),
    CheckConstraint("amount_minor > 0", name="amount"),
)
"""An amount moves from one account to another, so the sum over all accounts is zero. Rows are only added."""
Index("ix_posting_campaign_id_at", posting.c.campaign_id, posting.c.at)

payment = Table(
    "payment",
    metadata,
    Column("payment_id", Uuid, primary_key=True),
    Column("campaign_id", Uuid, ForeignKey("campaign.campaign_id"), nullable=False, index=True),
    Column("assignment_id", Uuid, ForeignKey("assignment.assignment_id"), nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("amount_minor", BigInteger, nullable=False),
    Column("currency", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("causes", ARRAY(Text), nullable=False),
    Column("reference", Text, index=True),
    Column("problem", Text),
    Column("made_at", DateTime(timezone=True), nullable=False),
    Column("due_at", DateTime(timezone=True), nullable=False),
    Column("attempted_at", DateTime(timezone=True)),
    Column("settled_at", DateTime(timezone=True)),
)
"""`causes` are those of the entries that it pays. `reference` is the platform's id of a prepared payment."""
BY_STATE = payment.c.kind.in_(("reward", "screen_out"))
REFUSED = payment.c.state == "refused"
UNSETTLED = payment.c.state.in_(("prepared", "unknown"))
Index(
    "uq_payment_by_state",
    payment.c.assignment_id,
    unique=True,
    postgresql_where=BY_STATE & (payment.c.state != "refused"),
)
Index("uq_payment_extra", payment.c.assignment_id, unique=True, postgresql_where=~BY_STATE & UNSETTLED)
Index("ix_payment_due_at", payment.c.due_at, postgresql_where=UNSETTLED)
