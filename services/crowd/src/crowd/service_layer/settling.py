"""The worker's part of payments: make them through platforms, and determine their outcomes.

A platform may carry a call out and never answer. So each payment is stored before any call, and marked `unknown`
before the call that pays. A crash at any step leaves a state that names the next step:

| state of an extra | meaning | next step |
|---|---|---|
| prepared, without reference | no money has moved | register the payment with the platform |
| prepared, with reference | no money has moved | pay the reference |
| unknown | money may have moved | look for the amount; after two minutes pay again, or wait for the owner |

Rewards and screen-outs have no reference, since the platform pays them by the state of the submission. Its list alone
says what is paid: it may answer an approval before it acts, or not act at all. An approval may be repeated.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from dynabench_api.words import PaymentKind, PaymentState
from dynabench_common.telemetry.logging import get_logger
from sqlalchemy import func

from crowd.adapters.ledger import EARNS_NOTHING
from crowd.adapters.ledger_tables import payment as table
from crowd.adapters.payments import OpenPayment
from crowd.domain.money import PAID_BY_STATE, SETTLING, NextStep, drafts, is_recorded, next_step
from crowd.domain.platforms import (
    CrowdPlatform,
    OutcomeUnknown,
    Payment,
    Refused,
    SubmissionState,
    Unavailable,
)
from crowd.service_layer.assignments import follow_submission
from crowd.service_layer.dependencies import Dependencies
from crowd.service_layer.payments import record_paid, record_refused

log = get_logger(__name__)
MOST_IN_CALL = 100
PAUSE = timedelta(seconds=10)
"""Time until the retry of a call that a platform did not answer, or asked to postpone."""
PERSON_PAUSE = timedelta(minutes=1)
"""Shortest pause before the next query about a person who has to act first."""
LATER = 0.1
"""Pause before the next look at the platform's list, as a share of the time that a payment has waited."""
MOST_WAIT = timedelta(days=1)
"""Time after which a payment is refused that can't be attempted: the work is not handed in on the platform, or the
platform refuses its list."""
NOT_HANDED_IN = "the platform does not list the work as handed in"
UNEARNED = "the work earns nothing any more"
PAID_IN = {
    PaymentKind.REWARD: SubmissionState.APPROVED,
    PaymentKind.SCREEN_OUT: SubmissionState.SCREENED_OUT,
}
"""State of a submission whose payment the platform has made."""
WITHOUT_CODE = "the person left without the code of the screen-out"
REFUSED_IN = {
    PaymentKind.REWARD: {
        SubmissionState.REJECTED: "the platform has rejected the work",
        SubmissionState.RETURNED: "the work was returned on the platform. To pay it all the same, approve it there",
        SubmissionState.TIMED_OUT: "the work has timed out on the platform. To pay it all the same, approve it there",
        SubmissionState.SCREENED_OUT: "the platform has screened the person out",
    },
    PaymentKind.SCREEN_OUT: dict.fromkeys(
        (
            SubmissionState.APPROVED,
            SubmissionState.REJECTED,
            SubmissionState.RETURNED,
            SubmissionState.TIMED_OUT,
        ),
        WITHOUT_CODE,
    ),
}
"""States of submissions whose payment the platform does not make, with the reasons for the owner."""
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
            is_further |= _act_on(payments)(payments, paying[payments[0].platform], app)
        except Exception as err:
            log.warning("payments_postponed", campaign=str(payments[0].campaign_id), reason=str(err)[:300])
            if isinstance(err, Refused) and payments[0].kind in PAID_BY_STATE:
                _wait_for_list(payments, str(err), app)
            else:
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


def _act_on(payments: Payments) -> Act:
    payment = payments[0]
    if payment.kind == PaymentKind.REWARD:
        return _approve
    if payment.kind == PaymentKind.SCREEN_OUT:
        return _look_for_screen_outs
    if payment.state == PaymentState.UNKNOWN:
        return _look_for_extras
    if any(each.assignment_state in EARNS_NOTHING for each in payments):
        return _refuse_unearned
    return _register if payment.reference is None else _pay


def _approve(payments: Payments, platform: CrowdPlatform, app: Dependencies) -> bool:
    """Approve the work that is handed in on the platform, by which it pays the rewards."""
    found = _follow_list(payments, platform, app)
    ready = []
    for each, state in found:
        step = _next_approval(each, state, app.clock.now())
        if step is NextStep.GIVE_UP:
            record_refused(each.payment_id, each.problem or "", app)
        elif step is NextStep.PAY_AGAIN:
            ready.append(each)
        else:
            _wait(each, app)
    if not ready:
        return len(found) < len(payments)
    now = app.clock.now()
    first = func.coalesce(table.c.attempted_at, now)
    for each in ready:
        waited = now - each.attempted_at if each.attempted_at else timedelta()
        due_at = now + max(PAUSE, waited * LATER)
        _change([each], app, state=PaymentState.UNKNOWN, attempted_at=first, due_at=due_at, problem=None)
    _send_approvals(ready, platform, app)
    with suppress(Refused):
        _follow_list(ready, platform, app)
    return True


def _next_approval(payment: OpenPayment, state: SubmissionState, now: datetime) -> NextStep:
    """Return what follows for a reward that the platform's list does not decide.

    A refusal counts if the list still shows the work as handed in two minutes later. The platform may refuse a
    repeated approval because the first one is in progress.
    """
    if state is not SubmissionState.SUBMITTED:
        return NextStep.WAIT
    if payment.attempted_at is None:
        return NextStep.PAY_AGAIN
    was_refused = payment.problem is not None
    return next_step(is_found=False, was_refused=was_refused, attempted_at=payment.attempted_at, now=now)


def _send_approvals(payments: Payments, platform: CrowdPlatform, app: Dependencies) -> None:
    """Approve submissions, and store the reasons of refusals.

    A refused call is repeated for each half, so that one person's problem stops nobody else's payment.
    """
    try:
        platform.approve(payments[0].study_id, [each.submission_id for each in payments])
    except OutcomeUnknown:
        return
    except Refused as err:
        if len(payments) == 1:
            now = app.clock.now()
            _change(payments, app, problem=str(err)[:500], attempted_at=now, due_at=now + SETTLING)
            return
        for half in _halves(payments):
            _send_approvals(half, platform, app)


def _look_for_screen_outs(payments: Payments, platform: CrowdPlatform, app: Dependencies) -> bool:
    """Find out which people have returned with the code of a screen-out, and which left in another way."""
    waiting = _follow_list(payments, platform, app)
    for each, _ in waiting:
        _wait(each, app)
    return len(waiting) < len(payments)


def _follow_list(
    payments: Payments, platform: CrowdPlatform, app: Dependencies
) -> list[tuple[OpenPayment, SubmissionState]]:
    """Settle what the platform's list decides; return the other payments with the states of their submissions."""
    states = {each.submission_id: each.state for each in platform.submissions(payments[0].study_id)}
    undecided = []
    for each in payments:
        state = states.get(each.submission_id, SubmissionState.WORKING)
        reason = REFUSED_IN[each.kind].get(state)
        if state is PAID_IN[each.kind]:
            record_paid(each.payment_id, app)
        elif reason is not None:
            record_refused(each.payment_id, reason, app)
            follow_submission(each.assignment_id, state, app)
        else:
            undecided.append((each, state))
    return undecided


def _wait(payment: OpenPayment, app: Dependencies) -> None:
    """Look at the list again later, and ever less often: some people never return to the platform.

    After a day without an attempt, a reward is refused: its work is not handed in on the platform.
    """
    waited = app.clock.now() - (payment.attempted_at or payment.made_at)
    if payment.attempted_at is None:
        if payment.kind == PaymentKind.REWARD and waited > MOST_WAIT:
            record_refused(payment.payment_id, NOT_HANDED_IN, app)
            return
        _change([payment], app, problem=None)
    _postpone([payment], max(PERSON_PAUSE, waited * LATER), app)


def _wait_for_list(payments: Payments, reason: str, app: Dependencies) -> None:
    """Store why the platform refuses its list, and ask again later.

    After a day without an attempt, a payment is refused if the list was refused twice in succession.
    """
    now = app.clock.now()
    for each in payments:
        waited = now - each.made_at
        is_new = each.attempted_at is None
        if is_new and each.problem is not None and waited > MOST_WAIT:
            record_refused(each.payment_id, reason, app)
            continue
        if is_new:
            _change([each], app, problem=reason[:500])
        _postpone([each], max(PERSON_PAUSE, waited * LATER), app)


def _refuse_unearned(payments: Payments, _: CrowdPlatform, app: Dependencies) -> bool:
    """Refuse extras of work that earns nothing any more, before money moves; the others are registered anew."""
    is_prepared = table.c.state == PaymentState.PREPARED
    if _change(payments, app, is_prepared, reference=None):
        for each in payments:
            if each.assignment_state in EARNS_NOTHING:
                record_refused(each.payment_id, UNEARNED, app)
    return True


def _register(payments: Payments, platform: CrowdPlatform, app: Dependencies) -> bool:
    """Get the reference by which the platform pays these payments, once."""
    try:
        reference = platform.prepare(_records(payments))
    except Refused as err:
        return _in_halves(_register, payments, err, platform, app)
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


def _in_halves(
    act: Act, payments: Payments, refusal: Refused, platform: CrowdPlatform, app: Dependencies
) -> bool:
    """Repeat a refused call for each half, so that one person's problem stops nobody else's payment."""
    if len(payments) == 1:
        return _all_refused(payments, str(refusal), app)
    return sum(act(half, platform, app) for half in _halves(payments)) > 0


def _halves(payments: Payments) -> tuple[Payments, Payments]:
    middle = len(payments) // 2
    return payments[:middle], payments[middle:]


def _all_paid(payments: Payments, app: Dependencies) -> bool:
    for each in payments:
        record_paid(each.payment_id, app)
    return True


def _all_refused(payments: Payments, reason: str, app: Dependencies) -> bool:
    for each in payments:
        record_refused(each.payment_id, reason, app)
    return True


def _postpone(payments: Payments, pause: timedelta, app: Dependencies) -> None:
    """Act on these payments later, at one time, since those of one reference are due together.

    Those that are settled meanwhile stay as they are.
    """
    due_at = app.clock.now() + pause
    with app.unit_of_work() as uow:
        for each in payments:
            uow.payments.change([each.payment_id], due_at=due_at)
        uow.commit()


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
