"""Reads about money: balances, what is owed, payments, and the ledger."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_api.words import AssignmentState, PaymentState
from sqlalchemy import ColumnElement, Connection, Engine, Select, and_, func, select, union_all

from crowd.adapters.ledger_tables import UNSETTLED, payment, posting
from crowd.adapters.payments import Payments, unpaid_refusals
from crowd.adapters.tables import assignment, worker
from crowd.domain.errors import PaymentUnknown
from crowd.domain.money import LISTING, PAID_BY_STATE, Account

Record = dict[str, Any]
MOST_IN_SHEET = 10_000
SHOWN = {
    Account.RESERVED: "reserved_minor",
    Account.OWED: "owed_minor",
    Account.PAID: "paid_minor",
    Account.LOSS: "lost_minor",
}


def money_of_campaigns(connection: Connection, campaign_ids: Collection[UUID]) -> dict[UUID, Record]:
    """Return reserved, owed, paid and lost amounts by campaign. What was lost was paid too."""
    return _money(connection, posting.c.campaign_id, campaign_ids)


def money_of_assignments(connection: Connection, assignment_ids: Collection[UUID]) -> dict[UUID, Record]:
    """Return owed, paid and lost amounts by assignment. What was lost was paid too."""
    return _money(connection, posting.c.assignment_id, assignment_ids)


def _money(connection: Connection, of: ColumnElement[UUID], ids: Collection[UUID]) -> dict[UUID, Record]:
    into = select(
        of.label("id"), posting.c.to_account.label("account"), posting.c.amount_minor.label("amount")
    )
    out_of = select(of, posting.c.from_account, -posting.c.amount_minor)
    moved = union_all(into.where(of.in_(ids)), out_of.where(of.in_(ids))).subquery().c
    balances = select(moved.id, moved.account, func.sum(moved.amount)).group_by(moved.id, moved.account)
    found: dict[UUID, Record] = {each: dict.fromkeys(SHOWN.values(), 0) for each in ids}
    for each, account, amount in connection.execute(balances):
        if account in SHOWN:
            found[each][SHOWN[Account(account)]] = int(amount)
    for record in found.values():
        record["paid_minor"] += record["lost_minor"]
    return found


def owed(engine: Engine, campaign_id: UUID, currency: str, *, by_platform: bool) -> Record:
    """Return what *Pay all that is owed* would pay now."""
    submitted = select(func.count()).where(
        assignment.c.campaign_id == campaign_id, assignment.c.state == AssignmentState.SUBMITTED
    )
    unsettled = select(func.count()).where(payment.c.campaign_id == campaign_id, UNSETTLED)
    with engine.connect() as connection:
        amounts = Payments(connection).owed(campaign_id, by_platform=by_platform)
        waiting = connection.execute(submitted).scalar_one()
        open_payments = connection.execute(unsettled).scalar_one()
    rewards = sum(each.amount_minor for each in amounts if each.kind in PAID_BY_STATE)
    total = sum(each.amount_minor for each in amounts)
    return {
        "people": len({each.assignment_id for each in amounts}),
        "rewards_minor": rewards,
        "bonuses_minor": total - rewards,
        "total_minor": total,
        "currency": currency,
        "waiting": waiting,
        "unsettled": open_payments,
    }


def payments(
    engine: Engine, campaign_id: UUID, before: UUID | None, limit: int, now: datetime
) -> list[Record]:
    """Return a campaign's payments, newest first."""
    found = _payments(payment.c.campaign_id == campaign_id, now)
    return _with_refusals(engine, _before(found, payment.c.payment_id, before, limit))


def payments_with_ids(engine: Engine, payment_ids: Iterable[UUID], now: datetime) -> list[Record]:
    """Return these payments, newest first."""
    found = _payments(payment.c.payment_id.in_(list(payment_ids)), now)
    return _with_refusals(engine, found.order_by(payment.c.payment_id.desc()))


def campaign_of_payment(engine: Engine, payment_id: UUID) -> UUID:
    """Return the campaign of a payment. Raises PaymentUnknown."""
    with engine.connect() as connection:
        found: UUID | None = connection.execute(
            select(payment.c.campaign_id).where(payment.c.payment_id == payment_id)
        ).scalar_one_or_none()
    if found is None:
        raise PaymentUnknown
    return found


def postings(engine: Engine, campaign_id: UUID, before: UUID | None, limit: int) -> list[Record]:
    """Return entries of a campaign's ledger, newest first."""
    of_campaign = select(posting).where(posting.c.campaign_id == campaign_id)
    return _records(engine, _before(of_campaign, posting.c.posting_id, before, limit))


def payments_by_hand(engine: Engine, campaign_id: UUID) -> list[Record]:
    """Return the payments that the owner makes by hand, with the platform's ids of people."""
    statement = (
        select(worker.c.worker_id, payment.c.amount_minor, payment.c.currency, payment.c.payment_id)
        .select_from(payment)
        .join(assignment, assignment.c.assignment_id == payment.c.assignment_id)
        .join(worker, worker.c.person_id == assignment.c.person_id)
        .where(payment.c.campaign_id == campaign_id, payment.c.state == PaymentState.PREPARED)
        .order_by(payment.c.payment_id)
        .limit(MOST_IN_SHEET)
    )
    return _records(engine, statement)


def _payments(condition: ColumnElement[bool], now: datetime) -> Select[Any]:
    of_payment = assignment.c.assignment_id == payment.c.assignment_id
    is_late = func.coalesce(payment.c.attempted_at <= now - LISTING, False)
    is_unconfirmed = and_(payment.c.state == PaymentState.UNKNOWN, is_late).label("is_unconfirmed")
    return (
        select(payment, assignment.c.person_id, is_unconfirmed).join(assignment, of_payment).where(condition)
    )


def _with_refusals(engine: Engine, statement: Select[Any]) -> list[Record]:
    with engine.connect() as connection:
        rows = connection.execute(statement).all()
        unpaid = unpaid_refusals(connection, rows)
    return [{**row._mapping, "is_unpaid": row.payment_id in unpaid} for row in rows]


def _before(statement: Select[Any], key: ColumnElement[UUID], before: UUID | None, limit: int) -> Select[Any]:
    if before is not None:
        statement = statement.where(key < before)
    return statement.order_by(key.desc()).limit(limit)


def _records(engine: Engine, statement: Select[Any]) -> list[Record]:
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(statement).mappings()]
