"""Payments of people, from the amounts owed to the platform's confirmation."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_api.words import AssignmentState, PaymentKind, PaymentState
from dynabench_common.identifiers import new_id
from sqlalchemy import ColumnElement, Connection, Row, any_, exists, or_, select

from crowd.adapters.ledger import is_newest, newest_entries
from crowd.adapters.ledger_tables import BY_STATE, REFUSED, UNSETTLED, payment, posting
from crowd.adapters.tables import assignment, campaign, worker
from crowd.domain.errors import PaymentUnknown
from crowd.domain.money import PAID_BY_STATE, Account, Draft, OwedAmount, PostingKind

UNDECIDED = (AssignmentState.WORKING, AssignmentState.SUBMITTED)
MOST_AT_ONCE = 1_000


@dataclass(frozen=True)
class OpenPayment:
    """A payment without a known outcome, with the data for its platform."""

    payment_id: UUID
    campaign_id: UUID
    assignment_id: UUID
    assignment_state: AssignmentState
    platform: str
    study_id: str
    submission_id: str
    worker_id: str
    title: str
    kind: PaymentKind
    amount_minor: int
    currency: str
    state: PaymentState
    reference: str | None
    problem: str | None
    attempted_at: datetime | None
    made_at: datetime


class Payments:
    """Reads and writes payments in the caller's transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def lock_assignments(self, campaign_id: UUID) -> list[Row[Any]]:
        """Return a campaign's assignments, whose other commands about money wait until this one ends."""
        return self._lock(assignment.c.campaign_id == campaign_id)

    def _lock(self, condition: ColumnElement[bool]) -> list[Row[Any]]:
        chosen = select(assignment.c.assignment_id, assignment.c.state).where(condition)
        in_order = chosen.order_by(assignment.c.assignment_id)
        return list(self._connection.execute(in_order.with_for_update(key_share=True)))

    def owed(self, campaign_id: UUID, *, by_platform: bool) -> list[OwedAmount]:
        """Return what *Pay all that is owed* would pay now.

        A platform pays rewards and screen-outs without that, so only refused ones are among them. An extra waits
        while another extra of the assignment is unsettled, since platforms list only the amounts of bonuses.
        """
        newest = newest_entries(posting.c.campaign_id == campaign_id).subquery().c
        of_assignment = payment.c.assignment_id == newest.assignment_id
        contains = of_assignment & (newest.cause == any_(payment.c.causes))
        is_open_extra = of_assignment & ~BY_STATE & UNSETTLED
        statement = (
            select(newest.assignment_id, newest.cause, newest.amount_minor)
            .add_columns(exists().where(contains, REFUSED).label("was_refused"))
            .add_columns(exists().where(is_open_extra).label("waits"))
            .join(assignment, assignment.c.assignment_id == newest.assignment_id)
            .where(
                newest.to_account == Account.OWED,
                assignment.c.state.not_in(UNDECIDED),
                ~exists().where(contains, ~REFUSED),
            )
        )
        owed: list[OwedAmount] = []
        for row in self._connection.execute(statement):
            amount = OwedAmount(row.assignment_id, row.cause, row.amount_minor)
            is_by_state = amount.kind in PAID_BY_STATE
            if (row.was_refused or not by_platform) if is_by_state else not row.waits:
                owed.append(amount)
        return owed

    def new_by_state(self, platforms: Collection[str]) -> dict[tuple[UUID, str], list[OwedAmount]]:
        """Return rewards and screen-outs that are owed and have no payment yet, by campaign and currency."""
        contains = posting.c.cause == any_(payment.c.causes)
        of_assignment = payment.c.assignment_id == posting.c.assignment_id
        has_payment = exists().where(of_assignment, BY_STATE, contains | ~REFUSED)
        statement = (
            select(posting)
            .join(campaign, campaign.c.campaign_id == posting.c.campaign_id)
            .where(
                posting.c.kind == PostingKind.OWED,
                or_(*(posting.c.cause.startswith(f"{kind}:") for kind in PAID_BY_STATE)),
                campaign.c.platform.in_(platforms),
                ~has_payment,
                is_newest(),
            )
            .order_by(posting.c.assignment_id)
            .limit(MOST_AT_ONCE)
        )
        assignment_ids = {row.assignment_id for row in self._connection.execute(statement)}
        self._lock(assignment.c.assignment_id.in_(assignment_ids))
        found: dict[tuple[UUID, str], list[OwedAmount]] = {}
        for row in self._connection.execute(statement.where(posting.c.assignment_id.in_(assignment_ids))):
            amount = OwedAmount(row.assignment_id, row.cause, row.amount_minor)
            found.setdefault((row.campaign_id, row.currency), []).append(amount)
        return found

    def add(self, campaign_id: UUID, currency: str, drafts: Iterable[Draft], at: datetime) -> list[UUID]:
        """Store payments to make, and return their ids."""
        rows = [
            {
                **vars(draft),
                "payment_id": new_id(),
                "campaign_id": campaign_id,
                "currency": currency,
                "state": PaymentState.PREPARED,
                "made_at": at,
                "due_at": at,
            }
            for draft in drafts
        ]
        if rows:
            self._connection.execute(payment.insert(), rows)
        return [row["payment_id"] for row in rows]

    def due(self, platforms: Collection[str], now: datetime) -> list[OpenPayment]:
        """Return unsettled payments of these platforms to act on now, the oldest first."""
        return self._open(campaign.c.platform.in_(platforms), payment.c.due_at <= now)

    def paid_extras(self, campaign_id: UUID) -> dict[str, list[int]]:
        """Return the amounts of extras that the platform is known to have paid, by submission."""
        statement = (
            select(assignment.c.submission_id, payment.c.amount_minor)
            .join(assignment, assignment.c.assignment_id == payment.c.assignment_id)
            .where(payment.c.campaign_id == campaign_id, payment.c.state == PaymentState.PAID)
            .where(~BY_STATE, payment.c.reference.is_not(None))
        )
        found: dict[str, list[int]] = {}
        for submission_id, amount in self._connection.execute(statement):
            found.setdefault(submission_id, []).append(amount)
        return found

    def lock(self, payment_id: UUID) -> Row[Any]:
        """Return a payment under the locks of its campaign and assignment. Raises PaymentUnknown."""
        found = select(payment).where(payment.c.payment_id == payment_id)
        row = self._connection.execute(found).one_or_none()
        if row is None:
            raise PaymentUnknown
        for state, is_same in (
            (campaign.c.state, campaign.c.campaign_id == row.campaign_id),
            (assignment.c.state, assignment.c.assignment_id == row.assignment_id),
        ):
            self._connection.execute(select(state).where(is_same).with_for_update(key_share=True)).one()
        return self._connection.execute(found).one()

    def change(
        self,
        payment_ids: Collection[UUID],
        *conditions: ColumnElement[bool],
        among: ColumnElement[bool] = UNSETTLED,
        **values: Any,
    ) -> bool:
        """Change all of these payments, or none if one is settled or does not meet the conditions."""
        changed = (
            payment.update().where(payment.c.payment_id.in_(payment_ids), among, *conditions).values(**values)
        )
        with self._connection.begin_nested() as attempt:
            if self._connection.execute(changed).rowcount == len(payment_ids):
                return True
            attempt.rollback()
            return False

    def _open(self, *conditions: ColumnElement[bool]) -> list[OpenPayment]:
        """Return all of them: a part of the payments of one reference would be paid as if it were the whole."""
        columns = (
            payment.c.payment_id, payment.c.campaign_id, payment.c.assignment_id,
            assignment.c.state.label("assignment_state"), campaign.c.platform,
            campaign.c.study_id, assignment.c.submission_id, worker.c.worker_id, campaign.c.title, payment.c.kind,
            payment.c.amount_minor, payment.c.currency, payment.c.state, payment.c.reference, payment.c.problem,
            payment.c.attempted_at, payment.c.made_at,
        )  # fmt: skip
        statement = (
            select(*columns)
            .join(assignment, assignment.c.assignment_id == payment.c.assignment_id)
            .join(campaign, campaign.c.campaign_id == payment.c.campaign_id)
            .join(worker, worker.c.person_id == assignment.c.person_id)
            .where(UNSETTLED, *conditions)
            .order_by(payment.c.payment_id)
        )
        return [OpenPayment(**row._mapping) for row in self._connection.execute(statement)]


def unpaid_refusals(connection: Connection, payments: Iterable[Row[Any]]) -> frozenset[UUID]:
    """Return those of the payments that were refused, while their amounts are still owed and in no other payment."""
    refused = [each for each in payments if each.state == PaymentState.REFUSED]
    assignment_ids = {each.assignment_id for each in refused}
    newest = newest_entries(posting.c.assignment_id.in_(assignment_ids)).subquery().c
    contained = exists().where(
        payment.c.assignment_id == newest.assignment_id, newest.cause == any_(payment.c.causes), ~REFUSED
    )
    is_owed = select(newest.cause).where(newest.to_account == Account.OWED, ~contained)
    owed = set(connection.execute(is_owed).scalars()) if refused else set()
    return frozenset(each.payment_id for each in refused if owed.issuperset(each.causes))
