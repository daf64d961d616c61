"""Payments through a platform that fails, and a process that dies: nobody is paid twice or forgotten."""

import threading
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import pairwise
from uuid import uuid4

import pytest
from crowd.domain.errors import OwedChanged
from crowd.domain.platforms import OutcomeUnknown, Refused, SubmissionState, Unavailable
from crowd.service_layer.settling import carry_out_payments
from dynabench_common.identifiers import new_id
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .conftest import Crowd
from .paying import (
    DONE,
    DONE_UNHEARD,
    NOT_DONE_UNHEARD,
    UNAVAILABLE,
    Crash,
    Steps,
    balances,
    dying,
    earner,
    ensure_sound,
    owed,
    pay_all,
    settle,
    use_unreliable_platform,
)


def states(crowd: Crowd, campaign_id: str) -> list[tuple[str, str, int]]:
    """Return kind, state and amount of a campaign's payments, oldest first."""
    items = crowd.send("GET", f"/campaigns/{campaign_id}/payments").get_json()["items"]
    return [(each["kind"], each["state"], each["amount_minor"]) for each in reversed(items)]


def pay(crowd: Crowd, campaign_id: str, total_minor: int, key: str | None = None) -> int:
    """Return the status of a click on *Pay*."""
    body = {"total_minor": total_minor}
    return crowd.send("POST", f"/campaigns/{campaign_id}/payments", body, key=key or uuid4().hex).status_code


def test_approval_pays_the_reward_and_one_click_pays_the_bonuses(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    first, second = earner(crowd, campaign_id, 2), earner(crowd, campaign_id, 0)
    settle(crowd)
    assert crowd.platform.approved == [first.submission_id, second.submission_id]
    assert owed(crowd, campaign_id) == {
        "people": 1,
        "rewards_minor": 0,
        "bonuses_minor": 60,
        "total_minor": 60,
        "currency": "GBP",
        "waiting": 0,
        "unsettled": 0,
    }
    assert pay(crowd, campaign_id, 60) == 201
    settle(crowd)
    assert crowd.platform.paid == {first.submission_id: [60]}
    assert states(crowd, campaign_id) == [
        ("reward", "paid", 150),
        ("reward", "paid", 150),
        ("bonus", "paid", 60),
    ]
    assert owed(crowd, campaign_id)["total_minor"] == 0
    ensure_sound(crowd)


def test_work_that_waits_for_a_decision_is_not_paid(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    earner(crowd, campaign_id, 2, is_approved=False)
    found = owed(crowd, campaign_id)
    assert (found["total_minor"], found["waiting"]) == (0, 1)


def test_what_a_person_writes_after_the_hand_in_is_not_paid(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    found, late = earner(crowd, campaign_id, 1), new_id()
    crowd.take(crowd.try_of(found.person_id, late), crowd.resolved(late))
    assert owed(crowd, campaign_id)["total_minor"] == 30


def test_the_same_request_twice_pays_once_and_another_amount_is_refused(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    earner(crowd, campaign_id, 1)
    key = uuid4().hex
    assert pay(crowd, campaign_id, 31) == 409
    assert [pay(crowd, campaign_id, 30, key) for _ in range(2)] == [201, 201]
    assert pay(crowd, campaign_id, 60, key) == 409
    assert pay(crowd, campaign_id, 30) == 409
    assert crowd.send("POST", f"/campaigns/{campaign_id}/payments", {"total_minor": 0}).status_code == 422
    settle(crowd)
    assert list(crowd.platform.paid.values()) == [[30]]


def test_two_clicks_at_once_pay_once(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    earner(crowd, campaign_id, 1)
    found: list[int] = []
    clicks = [threading.Thread(target=lambda: found.append(pay(crowd, campaign_id, 30))) for _ in range(6)]
    for click in clicks:
        click.start()
    for click in clicks:
        click.join()
    assert sorted(found) == [201, 409, 409, 409, 409, 409]
    settle(crowd)
    assert list(crowd.platform.paid.values()) == [[30]]


def test_a_reversal_between_preview_and_payment_is_noticed(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    found = earner(crowd, campaign_id, 2)
    assert owed(crowd, campaign_id)["total_minor"] == 60
    crowd.take(crowd.resolved(found.examples[0], is_correct=False))
    assert pay(crowd, campaign_id, 60) == 409
    assert pay(crowd, campaign_id, 30) == 201
    settle(crowd)
    ensure_sound(crowd)


def test_a_reversal_after_payment_is_a_loss_and_the_error_is_never_paid_again(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    found = earner(crowd, campaign_id, 1)
    pay(crowd, campaign_id, 30)
    settle(crowd)
    seen = []
    for is_correct in (False, False, True, False):
        crowd.take(crowd.resolved(found.examples[0], is_correct=is_correct))
        campaign = crowd.campaign(campaign_id)
        seen.append((campaign["paid_minor"], campaign["lost_minor"], campaign["owed_minor"]))
    assert seen == [(180, 30, 0), (180, 30, 0), (180, 0, 0), (180, 30, 0)]
    ensure_sound(crowd)


@pytest.mark.parametrize(("is_paid", "lost"), [(True, 30), (False, 0)], ids=["paid", "refused"])
def test_a_reversal_during_payment_follows_the_outcome(crowd: Crowd, is_paid: bool, lost: int) -> None:
    campaign_id = crowd.launched()
    found = earner(crowd, campaign_id, 1)
    settle(crowd)
    pay(crowd, campaign_id, 30)
    carry_out_payments(crowd.app)
    faults = crowd.platform.late_faults if is_paid else crowd.platform.faults
    faults["pay"] = [OutcomeUnknown()]
    carry_out_payments(crowd.app)
    assert states(crowd, campaign_id)[-1] == ("bonus", "unknown", 30)
    crowd.take(crowd.resolved(found.examples[0], is_correct=False))
    assert crowd.campaign(campaign_id)["owed_minor"] == 30
    if not is_paid:
        crowd.platform.faults["pay"] = [Refused("no money")]
    settle(crowd)
    campaign = crowd.campaign(campaign_id)
    assert (campaign["lost_minor"], campaign["owed_minor"]) == (lost, 0)
    ensure_sound(crowd)


def test_a_platform_that_asks_to_wait_is_asked_again_later(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    earner(crowd, campaign_id, 1)
    pay(crowd, campaign_id, 30)
    crowd.platform.faults.update(
        approve=[Unavailable("429")], prepare=[Unavailable("429")], pay=[Unavailable("429")]
    )
    assert carry_out_payments(crowd.app) is False
    assert carry_out_payments(crowd.app) is False
    assert crowd.platform.approved == []
    settle(crowd)
    ensure_sound(crowd)
    assert list(crowd.platform.paid.values()) == [[30]]


@pytest.mark.parametrize("is_made", [True, False])
def test_a_platform_that_could_pay_twice_is_told_once_and_the_owner_decides(
    crowd: Crowd, is_made: bool
) -> None:
    crowd.platform.pays_once = False
    campaign_id = crowd.launched()
    earner(crowd, campaign_id, 1)
    settle(crowd)
    pay(crowd, campaign_id, 30)
    calls: list[str] = []
    crowd.platform.on_call = calls.append
    crowd.platform.faults["pay"] = [OutcomeUnknown("no answer")]
    for _ in range(4):
        while carry_out_payments(crowd.app):
            pass
        crowd.wait(minutes=3)
    assert calls.count("pay") == 1
    payment_id = crowd.send("GET", f"/campaigns/{campaign_id}/payments").get_json()["items"][0]["payment_id"]
    decision = f"/payments/{payment_id}/{'paid' if is_made else 'unpaid'}"
    early = crowd.send("PUT", decision)
    assert early.get_json()["type"] == "/problems/paid-by-platform"
    crowd.wait(minutes=20)
    (unconfirmed,) = [
        each
        for each in crowd.send("GET", f"/campaigns/{campaign_id}/payments").get_json()["items"]
        if each["is_unconfirmed"]
    ]
    assert unconfirmed["payment_id"] == payment_id
    assert crowd.send("PUT", decision).get_json()["state"] == ("paid" if is_made else "refused")
    assert owed(crowd, campaign_id)["total_minor"] == (0 if is_made else 30)


def test_one_refused_person_stops_nobody_else(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    earner(crowd, campaign_id, 1)
    earner(crowd, campaign_id, 1)
    settle(crowd)
    pay(crowd, campaign_id, 60)
    crowd.platform.faults["prepare"] = [Refused("a bad line"), Refused("this person is banned")]
    settle(crowd)
    assert sorted(states(crowd, campaign_id)[2:]) == [("bonus", "paid", 30), ("bonus", "refused", 30)]
    assert owed(crowd, campaign_id)["total_minor"] == 30
    assert pay(crowd, campaign_id, 30) == 201
    settle(crowd)
    assert sorted(crowd.platform.paid.values()) == [[30], [30]]
    ensure_sound(crowd)


def test_a_refused_reward_is_owed_until_it_is_paid_by_a_click(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    earner(crowd, campaign_id, 0)
    crowd.platform.faults["approve"] = [Refused("no money")]
    settle(crowd)
    assert states(crowd, campaign_id) == [("reward", "refused", 150)]
    assert owed(crowd, campaign_id)["rewards_minor"] == 150
    assert pay(crowd, campaign_id, 150) == 201
    settle(crowd)
    assert states(crowd, campaign_id)[-1] == ("reward", "paid", 150)
    ensure_sound(crowd)


def test_a_refused_payment_can_be_paid_in_another_way(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    earner(crowd, campaign_id, 0)
    for _ in range(2):
        crowd.platform.faults["approve"] = [Refused("this person is banned")]
        settle(crowd)
        pay(crowd, campaign_id, 150)
    crowd.platform.faults["approve"] = [Refused("this person is banned")]
    settle(crowd)
    listed = crowd.send("GET", f"/campaigns/{campaign_id}/payments").get_json()["items"]
    assert [(each["state"], each["is_unpaid"]) for each in listed] == [("refused", True)] * 3
    newest, *others = [f"/payments/{each['payment_id']}" for each in listed]
    assert crowd.send("PUT", f"{newest}/unpaid").get_json()["type"] == "/problems/payment-refused"
    paid = crowd.send("PUT", f"{newest}/paid").get_json()
    assert (paid["state"], paid["is_unpaid"], paid["problem"]) == ("paid", False, None)
    for other in others:
        assert crowd.send("PUT", f"{other}/paid").get_json()["type"] == "/problems/payment-refused"
    listed = crowd.send("GET", f"/campaigns/{campaign_id}/payments").get_json()["items"]
    assert not any(each["is_unpaid"] for each in listed)
    assert owed(crowd, campaign_id)["total_minor"] == crowd.campaign(campaign_id)["owed_minor"] == 0
    assert crowd.campaign(campaign_id)["paid_minor"] == 150
    balances(crowd, campaign_id)


def test_a_refused_payment_in_a_new_one_is_not_confirmed_as_well(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    earner(crowd, campaign_id, 0)
    crowd.platform.faults["approve"] = [Refused("no money")]
    settle(crowd)
    pay(crowd, campaign_id, 150)
    (new, refused) = crowd.send("GET", f"/campaigns/{campaign_id}/payments").get_json()["items"]
    assert (new["state"], refused["state"], refused["is_unpaid"]) == ("prepared", "refused", False)
    answer = crowd.send("PUT", f"/payments/{refused['payment_id']}/paid")
    assert answer.get_json()["type"] == "/problems/payment-refused"
    answer = crowd.send("PUT", f"/payments/{new['payment_id']}/paid")
    assert answer.get_json()["type"] == "/problems/paid-by-platform"
    settle(crowd)
    ensure_sound(crowd)


def test_a_screen_out_is_paid_when_the_person_has_returned_with_its_code(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    assignment_id, _ = crowd.entered(campaign_id)
    assert crowd.send("PUT", f"/assignments/{assignment_id}/screen-out").status_code == 200
    carry_out_payments(crowd.app)
    assert states(crowd, campaign_id) == [("screen_out", "prepared", 20)]
    crowd.platform.says("s-w1", SubmissionState.SCREENED_OUT)
    carry_out_payments(crowd.app)
    assert states(crowd, campaign_id) == [("screen_out", "prepared", 20)]
    settle(crowd)
    assert states(crowd, campaign_id) == [("screen_out", "paid", 20)]
    assert crowd.campaign(campaign_id)["reserved_minor"] == 600


def test_a_screen_out_whose_code_never_comes_is_looked_for_ever_less_often(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    assignment_id, _ = crowd.entered(campaign_id)
    crowd.send("PUT", f"/assignments/{assignment_id}/screen-out")
    asked: list[datetime] = []
    crowd.platform.on_call = lambda name: asked.append(crowd.clock.now()) if name == "submissions" else None
    for _ in range(300):
        carry_out_payments(crowd.app)
        crowd.wait(2)
    pauses = [later - earlier for earlier, later in pairwise(asked)]
    assert pauses[0] == timedelta(minutes=2)
    assert pauses[-1] > timedelta(minutes=45)


@pytest.mark.long
def test_a_crash_at_any_step_pays_everybody_once(crowd: Crowd) -> None:
    platform = use_unreliable_platform(crowd)
    position, has_crashed = 0, True
    while has_crashed:
        position += 1
        campaign_id = crowd.launched()
        people = [earner(crowd, campaign_id, 1), earner(crowd, campaign_id, 2)]
        key, has_crashed = uuid4().hex, False
        app = dying(crowd.app, platform, Steps(position))
        try:
            pay_all(crowd, campaign_id, app, 90, key)
            while carry_out_payments(app):
                pass
        except Crash:
            has_crashed = True
        platform.steps = Steps(0)
        pay_all(crowd, campaign_id, crowd.app, 90, key)
        settle(crowd)
        assert [platform.paid[each.submission_id] for each in people] == [[30], [60]], position
        assert crowd.campaign(campaign_id)["paid_minor"] == 390
        ensure_sound(crowd)
    assert position > 20


@pytest.mark.long
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    plans=st.fixed_dictionaries(
        {
            name: st.lists(st.sampled_from([DONE, DONE_UNHEARD, NOT_DONE_UNHEARD, UNAVAILABLE]), max_size=3)
            for name in ("approve", "prepare", "pay", "bonuses")
        }
    ),
    crashes=st.lists(st.integers(1, 15), max_size=3),
    errors=st.lists(st.integers(0, 2), min_size=1, max_size=3),
    is_reversed=st.booleans(),
)
def test_whatever_fails_everybody_is_paid_once(
    crowd: Crowd, plans: dict[str, list[str]], crashes: list[int], errors: list[int], is_reversed: bool
) -> None:
    platform = use_unreliable_platform(crowd)
    campaign_id = crowd.launched()
    people = [earner(crowd, campaign_id, number) for number in errors]
    platform.plans, key, total = (
        {name: [*plan] for name, plan in plans.items()},
        uuid4().hex,
        30 * sum(errors),
    )
    for position in crashes:
        app = dying(crowd.app, platform, Steps(position))
        with suppress(Crash, OwedChanged):
            pay_all(crowd, campaign_id, app, total, key)
            while carry_out_payments(app):
                pass
        platform.steps = Steps(0)
        if is_reversed:
            crowd.take(crowd.resolved(people[0].examples[0], is_correct=False))
        crowd.wait(minutes=1)
    settle(crowd)
    while rest := owed(crowd, campaign_id)["total_minor"]:
        pay_all(crowd, campaign_id, crowd.app, rest, uuid4().hex)
        settle(crowd)
    ensure_sound(crowd)
    campaign = crowd.campaign(campaign_id)
    paid = [sum(platform.paid.get(each.submission_id, [])) for each in people]
    assert {each.submission_id for each in people} <= set(platform.approved)
    assert (campaign["owed_minor"], campaign["paid_minor"]) == (0, 150 * len(people) + sum(paid))
    assert paid[1:] == [30 * number for number in errors[1:]]
    assert paid[0] - campaign["lost_minor"] == 30 * (
        errors[0] - (is_reversed and bool(crashes) and errors[0] > 0)
    )
