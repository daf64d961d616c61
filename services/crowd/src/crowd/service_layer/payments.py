"""Commands about payments: owe a top-up, pay all that is owed, and enter the outcome of a payment."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_api.words import AssignmentState, PaymentState
from dynabench_common.events.audit import Action
from dynabench_common.http.idempotency import KeyedRequest, fingerprint
from sqlalchemy import ColumnElement, Row

from crowd.adapters.ledger import Settled
from crowd.adapters.ledger_tables import REFUSED, UNSETTLED
from crowd.adapters.payments import unpaid_refusals
from crowd.adapters.unit_of_work import UnitOfWork
from crowd.domain.campaign import Campaign
from crowd.domain.errors import OwedChanged, PaidByPlatform, PaymentRefused
from crowd.domain.money import drafts, is_unconfirmed
from crowd.service_layer.campaigns import close_books
from crowd.service_layer.dependencies import Dependencies

NOT_MADE = "the platform has not made it"
TOPPED_UP = (AssignmentState.SUBMITTED, AssignmentState.APPROVED)


@dataclass(frozen=True)
class PayOwed:
    """An owner pays all that is owed; the preview has shown `total_minor`."""

    campaign_id: UUID
    actor_id: UUID
    total_minor: int
    idempotency_key: str

    @property
    def request(self) -> KeyedRequest:
        """Return the key that identifies a repeated request."""
        body = {"campaign_id": str(self.campaign_id), "total_minor": self.total_minor}
        return KeyedRequest(self.actor_id, "payment", self.idempotency_key, fingerprint(body))


def pay_owed(command: PayOwed, app: Dependencies) -> list[UUID]:
    """Store a payment for each person, and return their ids; the worker makes them.

    A repeated request returns the same payments. Raises CampaignUnknown, IdempotencyKeyReused, ConcurrentReplay, and
    OwedChanged if the preview showed another total.
    """
    with app.unit_of_work() as uow:
        campaign = uow.campaigns.get(command.campaign_id)
        uow.payments.lock_assignments(command.campaign_id)
        kept = uow.replies.find(command.request)
        if kept is not None:
            return [UUID(each) for each in kept["payment_ids"]]
        by_platform = app.platform(campaign.platform).pays
        owed = uow.payments.owed(command.campaign_id, by_platform=by_platform)
        total = sum(each.amount_minor for each in owed)
        if total != command.total_minor:
            raise OwedChanged(command.total_minor, total)
        now = app.clock.now()
        wanted = drafts(owed, by_platform=by_platform)
        payment_ids = uow.payments.add(command.campaign_id, campaign.currency, wanted, now)
        details = {"total_minor": str(total), "currency": campaign.currency, "payments": str(len(wanted))}
        uow.audit(_action("campaign.paid", command.actor_id, campaign, details), now)
        uow.replies.store(command.request, {"payment_ids": [str(each) for each in payment_ids]})
        uow.commit()
        return payment_ids


@dataclass(frozen=True)
class TopUp:
    """An owner adds an amount to the reward of each person who has handed in."""

    campaign_id: UUID
    actor_id: UUID
    amount_minor: int


def top_up(command: TopUp, app: Dependencies) -> None:
    """Owe the amount to each submitted or approved assignment that has none yet. Raises CampaignUnknown."""
    with app.unit_of_work() as uow:
        campaign = uow.campaigns.get(command.campaign_id)
        now = app.clock.now()
        for each in uow.payments.lock_assignments(command.campaign_id):
            if each.state in TOPPED_UP:
                uow.ledger.owe_top_up(each.assignment_id, command.amount_minor, now)
        details = {"amount_minor": str(command.amount_minor), "currency": campaign.currency}
        uow.audit(_action("campaign.topped_up", command.actor_id, campaign, details), now)
        uow.commit()


def confirm_by_hand(payment_id: UUID, actor_id: UUID, app: Dependencies, *, is_paid: bool = True) -> None:
    """Enter what the owner knows of a payment: that it was made, or that the platform has not made it.

    The owner knows of payments by hand, of those that the platform has not confirmed, and of refused ones that they
    paid in another way. The same entry again changes nothing. Raises PaymentUnknown, PaymentRefused, and PaidByPlatform
    for a payment that the platform still settles.
    """
    with app.unit_of_work() as uow:
        payment = uow.payments.lock(payment_id)
        campaign = uow.campaigns.get(payment.campaign_id)
        platform, now = app.platform(campaign.platform), app.clock.now()
        is_refused = payment.state == PaymentState.REFUSED
        is_denied = is_refused and payment.problem == NOT_MADE
        if is_paid and payment.state == PaymentState.PAID:
            return
        if is_denied and not is_paid:
            return
        is_known = is_refused or is_unconfirmed(payment.state, payment.attempted_at, now)
        if platform.pays and not is_known:
            raise PaidByPlatform(campaign.platform)
        if is_refused and not (is_paid and unpaid_refusals(uow.connection, [payment])):
            raise PaymentRefused(payment.problem or "")
        known: dict[str, str | None] = (
            {"state": PaymentState.PAID, "problem": None}
            if is_paid
            else {"state": PaymentState.REFUSED, "problem": NOT_MADE}
        )
        is_outside = is_refused and not is_denied
        if is_outside:
            known["reference"] = None  # The platform lists no such bonus.
        among = REFUSED if is_refused else UNSETTLED
        if _enter(payment, uow, now, among, is_outside=is_outside, **known):
            details = {"amount_minor": str(payment.amount_minor), "currency": payment.currency}
            name = "payment.confirmed" if is_paid else "payment.denied"
            uow.audit(_action(name, actor_id, campaign, details), now)
        uow.commit()


def record_paid(payment_id: UUID, app: Dependencies) -> None:
    """Enter that the platform has paid; again changes nothing."""
    with app.unit_of_work() as uow:
        payment = uow.payments.lock(payment_id)
        _enter(payment, uow, app.clock.now(), state=PaymentState.PAID, problem=None)
        uow.commit()


def record_refused(payment_id: UUID, reason: str, app: Dependencies) -> None:
    """Enter that the platform has refused, so that the amount is owed as before."""
    with app.unit_of_work() as uow:
        payment = uow.payments.lock(payment_id)
        _enter(payment, uow, app.clock.now(), state=PaymentState.REFUSED, problem=reason[:500])
        uow.commit()


def _enter(
    payment: Row[Any],
    uow: UnitOfWork,
    now: datetime,
    among: ColumnElement[bool] = UNSETTLED,
    *,
    is_outside: bool = False,
    **values: Any,
) -> bool:
    """Settle a payment, once, and let amounts follow what changed while its outcome was unknown."""
    if not uow.payments.change([payment.payment_id], among=among, settled_at=now, **values):
        return False
    settled = Settled(payment.payment_id, payment.assignment_id, payment.amount_minor, payment.causes)
    if values["state"] is PaymentState.PAID:
        uow.ledger.record_payment(settled, now, is_outside=is_outside)
    uow.ledger.follow_state(payment.assignment_id, now)
    uow.ledger.follow_resolutions(settled, now)
    close_books(uow, uow.campaigns.get(payment.campaign_id), now)
    return True


def _action(name: str, actor_id: UUID, campaign: Campaign, details: Mapping[str, str]) -> Action:
    return Action(
        name,
        actor_id,
        "campaign",
        campaign.campaign_id,
        task_slug=campaign.task_slug,
        round_id=campaign.round_id,
        details=details,
    )
