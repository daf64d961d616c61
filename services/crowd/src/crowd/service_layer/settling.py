"""The worker's part of payments: make them through platforms, and find out what became of them.

A platform may carry a call out and never answer. So each payment is stored before any call, and marked `unknown`
before the call that pays. A crash at any step leaves a state that names the next step:

| state | meaning | next step |
|---|---|---|
| prepared, without reference | no money has moved | register the payment with the platform |
| prepared, with reference | no money has moved | pay the reference |
| unknown | money may have moved | look for the amount; after two minutes pay again, or wait for the owner |

Approving may be repeated, so rewards need no reference. A screen-out is paid when the person returns with its code.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import groupby
from typing import Any

from dynabench_api.words import PaymentKind, PaymentState
from dynabench_common.telemetry.logging import get_logger

from crowd.adapters.ledger_tables import payment as table
from crowd.adapters.payments import OpenPayment
from crowd.domain.money import PAID_BY_STATE, NextStep, drafts, is_recorded, next_step
from crowd.domain.platforms import (
    CrowdPlatform,
    OutcomeUnknown,
    Payment,
    Refused,
    SubmissionState,
    Unavailable,
)
from crowd.service_layer.dependencies import Dependencies
from crowd.service_layer.payments import record_paid, record_refused

log = get_logger(__name__)
MOST_IN_CALL = 100
PAUSE = timedelta(seconds=10)
"""Time until a platform that did not answer, or asked to wait, is asked again."""
SCREEN_OUT_PAUSE = timedelta(minutes=1)
LATER = 0.1
"""Pause before the next look for a screen-out, as a share of the time that it has waited."""
LEFT = frozenset(SubmissionState) - {
    SubmissionState.WORKING,
    SubmissionState.SUBMITTED,
    SubmissionState.SCREENED_OUT,
}
"""States of submissions whose person can't return with the code of a screen-out any more."""
WITHOUT_CODE = "the person left without the code of the screen-out"
MESSAGE = "Thank you for your work on “{title}”."

Payments = Sequence[OpenPayment]
Act = Callable[[Payments, CrowdPlatform, Dependencies], bool]


def carry_out_payments(app: Dependencies) -> bool:
    """Take the next step of each payment that is due; return whether one got on.

    A failure, also of an adapter, postpones the payments of one call. Others go on.
    """
    paying = {name: platform for name, platform in app.platforms.items() if platform.pays}
    _begin_by_state(list(paying), app)
    with app.unit_of_work() as uow:
        due = uow.payments.due(list(paying), app.clock.now())
    is_further = False
    for payments in _calls(due):
        try:
            is_further |= _act_on(payments[0])(payments, paying[payments[0].platform], app)
        except Exception as err:
            log.warning("payments_postponed", campaign=str(payments[0].campaign_id), reason=str(err)[:300])
            _postpone(payments, PAUSE, app)
    return is_further


def _begin_by_state(paying: Sequence[str], app: Dependencies) -> None:
    """Store payments of rewards and screen-outs, which platforms pay without a click of the owner."""
    with app.unit_of_work() as uow:
        for (campaign_id, currency), owed in uow.payments.new_by_state(paying).items():
            uow.payments.add(campaign_id, currency, drafts(owed, by_platform=True), app.clock.now())
        uow.commit()


def _calls(due: Iterable[OpenPayment]) -> Iterator[Payments]:
    """Yield the payments of each call: of one campaign and state, and of one reference if they have one."""

    def key(payment: OpenPayment) -> tuple[str, ...]:
        by_state = payment.kind if payment.kind in PAID_BY_STATE else ""
        return (str(payment.campaign_id), by_state, payment.state, payment.reference or "")

    for _, group in groupby(sorted(due, key=key), key):
        payments = list(group)
        for start in range(0, len(payments), MOST_IN_CALL):
            yield payments[start : start + MOST_IN_CALL]


def _act_on(payment: OpenPayment) -> Act:
    if payment.kind == PaymentKind.REWARD:
        return _approve
    if payment.kind == PaymentKind.SCREEN_OUT:
        return _look_for_screen_outs
    if payment.state == PaymentState.UNKNOWN:
        return _look_for_extras
    return _register if payment.reference is None else _pay


def _approve(payments: Payments, platform: CrowdPlatform, app: Dependencies) -> bool:
    """Approve submissions, by which the platform pays their rewards."""
    try:
        platform.approve(payments[0].study_id, [each.submission_id for each in payments])
    except OutcomeUnknown:
        _change(payments, app, state=PaymentState.UNKNOWN, due_at=app.clock.now() + PAUSE)
        return False
    except Refused as err:
        return _one_by_one(_approve, payments, err, platform, app)
    return _all_paid(payments, app)


def _look_for_screen_outs(payments: Payments, platform: CrowdPlatform, app: Dependencies) -> bool:
    """Find out which people have returned with the code of a screen-out, and which left in another way."""
    found = platform.submissions(payments[0].study_id)
    states = {each.submission_id: each.state for each in found}
    now, waiting = app.clock.now(), 0
    for each in payments:
        state = states.get(each.submission_id, SubmissionState.WORKING)
        if state is SubmissionState.SCREENED_OUT:
            record_paid(each.payment_id, app)
        elif state in LEFT:
            record_refused(each.payment_id, WITHOUT_CODE, app)
        else:
            # Some never return: the platform is asked about them ever less often.
            _postpone([each], max(SCREEN_OUT_PAUSE, (now - each.made_at) * LATER), app)
            waiting += 1
    return waiting < len(payments)


def _register(payments: Payments, platform: CrowdPlatform, app: Dependencies) -> bool:
    """Get the reference by which the platform pays these payments, once."""
    try:
        reference = platform.prepare(_records(payments))
    except Refused as err:
        return _one_by_one(_register, payments, err, platform, app)
    is_new = table.c.reference.is_(None)
    return _change(payments, app, is_new, reference=reference)


def _pay(payments: Payments, platform: CrowdPlatform, app: Dependencies) -> bool:
    """Pay a reference for the first time. Whatever interrupts this leaves the payments unknown."""
    now = app.clock.now()
    is_prepared = table.c.state == PaymentState.PREPARED
    unknown = {"state": PaymentState.UNKNOWN, "attempted_at": now, "due_at": now + PAUSE}
    if not _change(payments, app, is_prepared, **unknown):
        return False
    try:
        platform.pay(payments[0].reference or "", _records(payments))
    except OutcomeUnknown:
        return False
    except Unavailable as err:
        log.warning("payments_postponed", campaign=str(payments[0].campaign_id), reason=str(err)[:300])
        _change(payments, app, state=PaymentState.PREPARED)
        return False
    except Refused as err:
        return _all_refused(payments, str(err), app)
    return _all_paid(payments, app)


def _look_for_extras(payments: Payments, platform: CrowdPlatform, app: Dependencies) -> bool:
    """Find payments among the bonuses that the platform has recorded; pay missing ones again after a while.

    Where that could pay people twice, a missing payment stays unknown until it is listed or the owner decides.
    """
    campaign_id, now = payments[0].campaign_id, app.clock.now()
    recorded = platform.bonuses(payments[0].study_id, [each.submission_id for each in payments])
    with app.unit_of_work() as uow:
        known = uow.payments.paid_extras(campaign_id)
    steps: dict[NextStep, list[OpenPayment]] = {step: [] for step in NextStep}
    for each in payments:
        steps[_next_step(each, recorded, known, app)].append(each)
    for each in steps[NextStep.GIVE_UP]:
        record_refused(each.payment_id, each.problem or "", app)
    for each in steps[NextStep.SETTLE]:
        record_paid(each.payment_id, app)
    _postpone(steps[NextStep.WAIT], PAUSE, app)
    again = steps[NextStep.PAY_AGAIN]
    if not platform.pays_once:
        _postpone(again, PAUSE, app)
    elif again and _change(again, app, attempted_at=now, due_at=now + PAUSE):
        return _pay_again(again, platform, app)
    return bool(steps[NextStep.SETTLE] or steps[NextStep.GIVE_UP])


def _pay_again(payments: Payments, platform: CrowdPlatform, app: Dependencies) -> bool:
    """Pay the same reference again, on a platform that pays it at most once."""
    try:
        platform.pay(payments[0].reference or "", _records(payments))
    except Refused as err:
        return _change(payments, app, problem=str(err)[:500])
    return _all_paid(payments, app)


def _next_step(
    payment: OpenPayment,
    recorded: Mapping[str, Sequence[int]],
    known: Mapping[str, Sequence[int]],
    app: Dependencies,
) -> NextStep:
    of_person = payment.submission_id
    return next_step(
        is_found=is_recorded(payment.amount_minor, recorded.get(of_person, ()), known.get(of_person, ())),
        was_refused=payment.problem is not None,
        attempted_at=payment.attempted_at or app.clock.now(),
        now=app.clock.now(),
    )


def _one_by_one(
    act: Act, payments: Payments, refusal: Refused, platform: CrowdPlatform, app: Dependencies
) -> bool:
    """Repeat a refused call for each payment, so that one person's problem stops nobody else's payment."""
    if len(payments) == 1:
        return _all_refused(payments, str(refusal), app)
    return sum(act([each], platform, app) for each in payments) > 0


def _all_paid(payments: Payments, app: Dependencies) -> bool:
    for each in payments:
        record_paid(each.payment_id, app)
    return True


def _all_refused(payments: Payments, reason: str, app: Dependencies) -> bool:
    for each in payments:
        record_refused(each.payment_id, reason, app)
    return True


def _postpone(payments: Payments, pause: timedelta, app: Dependencies) -> None:
    if payments:
        _change(payments, app, due_at=app.clock.now() + pause)


def _change(payments: Payments, app: Dependencies, *conditions: Any, **values: Any) -> bool:
    """Change all of these payments in one transaction, or none if another worker was quicker."""
    with app.unit_of_work() as uow:
        is_changed = uow.payments.change([each.payment_id for each in payments], *conditions, **values)
        uow.commit()
        return is_changed


def _records(payments: Payments) -> list[Payment]:
    return [
        Payment(
            payment_id=str(each.payment_id),
            study_id=each.study_id,
            submission_id=each.submission_id,
            worker_id=each.worker_id,
            amount_minor=each.amount_minor,
            currency=each.currency,
            message=MESSAGE.format(title=each.title),
        )
        for each in payments
    ]
