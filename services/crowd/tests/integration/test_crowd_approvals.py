"""Payments that follow the platform's list: it may not act, not know the work, or decide otherwise."""

from typing import Any
from uuid import uuid4

import pytest
from crowd.domain.money import Account
from crowd.domain.platforms import OutcomeUnknown, Refused, SubmissionState, Unavailable
from crowd.service_layer.assignments import follow_late_decisions, follow_platforms
from crowd.service_layer.settling import carry_out_payments

from .conftest import Crowd
from .paying import balances, earner, ensure_sound, owed, pay_all, settle
from .working import hand_in


def payments(crowd: Crowd, campaign_id: str) -> list[dict[str, Any]]:
    """Return a campaign's payments, oldest first."""
    return list(reversed(crowd.send("GET", f"/campaigns/{campaign_id}/payments").get_json()["items"]))


def states(crowd: Crowd, campaign_id: str) -> list[str]:
    return [each["state"] for each in payments(crowd, campaign_id)]


def pay_bonuses(crowd: Crowd, campaign_id: str) -> None:
    """Click on *Pay all that is owed*."""
    pay_all(crowd, campaign_id, crowd.app, owed(crowd, campaign_id)["total_minor"], uuid4().hex)


def calls(crowd: Crowd, name: str) -> list[str]:
    """Return a list that gets each further call of this name."""
    found: list[str] = []
    crowd.platform.on_call = lambda each: found.append(each) if each == name else None
    return found


def test_work_is_approved_once_it_is_handed_in_on_the_platform(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    late = earner(crowd, campaign_id, 0, there=SubmissionState.WORKING)
    ready = earner(crowd, campaign_id, 0)
    carry_out_payments(crowd.app)
    assert states(crowd, campaign_id) == ["prepared", "paid"]
    assert crowd.platform.approved == [ready.submission_id]
    crowd.platform.says(late.submission_id, SubmissionState.SUBMITTED)
    settle(crowd)
    assert states(crowd, campaign_id) == ["paid", "paid"]
    ensure_sound(crowd)


@pytest.mark.parametrize("is_listed", [True, False])
def test_work_that_is_never_handed_in_there_is_refused_after_a_day_and_can_be_paid_later(
    crowd: Crowd, is_listed: bool
) -> None:
    campaign_id = crowd.launched()
    person = earner(crowd, campaign_id, 0, there=SubmissionState.WORKING)
    if not is_listed:
        del crowd.platform.entered[person.submission_id]
    sent = calls(crowd, "approve")
    for hours in (0, 23, 4):
        assert "refused" not in states(crowd, campaign_id)
        crowd.wait(hours * 60)
        carry_out_payments(crowd.app)
    assert sent == []
    (refused,) = payments(crowd, campaign_id)
    assert (refused["state"], refused["is_unpaid"]) == ("refused", True)
    assert "handed in" in refused["problem"]
    crowd.platform.says(person.submission_id, SubmissionState.SUBMITTED)
    pay_bonuses(crowd, campaign_id)
    settle(crowd)
    assert states(crowd, campaign_id) == ["refused", "paid"]
    ensure_sound(crowd)


def test_an_approval_that_the_platform_ignores_is_repeated_and_the_owner_may_decide(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    person = earner(crowd, campaign_id, 0)
    crowd.platform.ignores_approvals = True
    sent = calls(crowd, "approve")
    for _ in range(60):
        carry_out_payments(crowd.app)
        crowd.wait(1)
    assert 10 < len(sent) < 40
    (payment,) = payments(crowd, campaign_id)
    assert (payment["state"], payment["is_unconfirmed"]) == ("unknown", True)
    denied = crowd.send("PUT", f"/payments/{payment['payment_id']}/unpaid")
    assert denied.get_json()["state"] == "refused"
    assert crowd.send("PUT", f"/payments/{payment['payment_id']}/unpaid").status_code == 200
    crowd.platform.says(person.submission_id, SubmissionState.APPROVED)
    pay_bonuses(crowd, campaign_id)
    settle(crowd)
    assert states(crowd, campaign_id) == ["refused", "paid"]
    ensure_sound(crowd)


@pytest.mark.parametrize("there", [SubmissionState.RETURNED, SubmissionState.TIMED_OUT])
def test_the_owner_approves_lost_work_on_the_platforms_own_pages(
    crowd: Crowd, there: SubmissionState
) -> None:
    campaign_id = crowd.launched()
    person = earner(crowd, campaign_id, 0, there=there)
    settle(crowd)
    (payment,) = payments(crowd, campaign_id)
    assert (payment["state"], "approve it there" in payment["problem"]) == ("refused", True)
    assert crowd.campaign(campaign_id)["owed_minor"] == 0
    crowd.platform.says(person.submission_id, SubmissionState.APPROVED)
    follow_late_decisions(crowd.app)
    settle(crowd)
    assert states(crowd, campaign_id) == ["refused", "paid"]
    ensure_sound(crowd)


@pytest.mark.parametrize("is_settled", [True, False])
def test_a_refused_repetition_proves_nothing_before_the_list_does(crowd: Crowd, is_settled: bool) -> None:
    """The platform takes the first approval, acts later, and refuses the second meanwhile."""
    campaign_id = crowd.launched()
    person = earner(crowd, campaign_id, 0)
    crowd.platform.ignores_approvals = True
    crowd.platform.late_faults["approve"] = [OutcomeUnknown("no answer"), Refused("it is being approved")]
    for _ in range(3):
        carry_out_payments(crowd.app)
        crowd.wait(1)
    (payment,) = payments(crowd, campaign_id)
    assert (payment["state"], payment["problem"]) == ("unknown", "it is being approved")
    if is_settled:
        crowd.platform.says(person.submission_id, SubmissionState.APPROVED)
    settle(crowd)
    (payment,) = payments(crowd, campaign_id)
    found = ("paid", None) if is_settled else ("refused", "it is being approved")
    assert (payment["state"], payment["problem"]) == found
    ensure_sound(crowd)


@pytest.mark.parametrize("kind", ["reward", "screen_out"])
@pytest.mark.parametrize("is_gone", [True, False])
def test_a_refused_list_shows_its_reason_and_ends_in_a_refusal(
    crowd: Crowd, kind: str, is_gone: bool
) -> None:
    campaign_id = crowd.launched()
    if kind == "reward":
        earner(crowd, campaign_id, 0)
    else:
        assignment_id, _ = crowd.entered(campaign_id)
        assert crowd.send("PUT", f"/assignments/{assignment_id}/screen-out").status_code == 200
    if is_gone:
        crowd.platform.studies.clear()
    for hours in (0, 1, 30):
        if not is_gone:
            crowd.platform.faults["submissions"] = [Refused("there is no such study any more")]
        crowd.wait(hours * 60)
        carry_out_payments(crowd.app)
        (payment,) = payments(crowd, campaign_id)
        assert payment["problem"] == "there is no such study any more"
        assert payment["state"] == ("refused" if hours == 30 else "prepared")
    assert payment["is_unpaid"]


def test_one_refused_list_ends_no_old_payment(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    assignment_id, _ = crowd.entered(campaign_id)
    crowd.send("PUT", f"/assignments/{assignment_id}/screen-out")
    refusal = Refused("the token is wrong")
    found = []
    for fault in ([], [refusal], [], [refusal], [refusal]):
        crowd.wait(40 * 60)
        crowd.platform.faults["submissions"] = list(fault)
        carry_out_payments(crowd.app)
        (payment,) = payments(crowd, campaign_id)
        found.append((payment["state"], payment["problem"]))
    waiting, reported = ("prepared", None), ("prepared", "the token is wrong")
    assert found == [waiting, reported, waiting, reported, ("refused", "the token is wrong")]


def test_a_list_that_is_refused_after_an_approval_refuses_nothing(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    person = earner(crowd, campaign_id, 0, there=SubmissionState.WORKING)
    carry_out_payments(crowd.app)
    crowd.wait(30 * 60)
    crowd.platform.says(person.submission_id, SubmissionState.SUBMITTED)

    def fail_after(name: str) -> None:
        if name == "approve":
            crowd.platform.faults["submissions"] = [Refused("the token is wrong")]

    crowd.platform.on_call = fail_after
    carry_out_payments(crowd.app)
    (payment,) = payments(crowd, campaign_id)
    assert (payment["state"], payment["problem"]) == ("unknown", None)
    settle(crowd)
    assert states(crowd, campaign_id) == ["paid"]
    ensure_sound(crowd)


def test_a_list_that_is_refused_for_a_while_stops_no_payment(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    earner(crowd, campaign_id, 0)
    crowd.platform.faults["submissions"] = [Refused("the token is wrong")]
    settle(crowd)
    (payment,) = payments(crowd, campaign_id)
    assert (payment["state"], payment["problem"]) == ("paid", None)
    ensure_sound(crowd)


def test_a_campaign_without_its_study_is_paused(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    hand_in(crowd, campaign_id)
    crowd.platform.studies.clear()
    follow_platforms(crowd.app)
    assert crowd.campaign(campaign_id)["state"] == "paused"


def test_one_refused_person_costs_few_calls(crowd: Crowd) -> None:
    campaign_id = crowd.launched(places=16)
    people = [earner(crowd, campaign_id, 0) for _ in range(16)]
    banned, approve, sent = people[5].submission_id, crowd.platform.approve, []

    def refuse(study_id: str, submission_ids: list[str]) -> None:
        sent.append(len(submission_ids))
        if banned in submission_ids:
            raise Refused("this person is banned")
        approve(study_id, submission_ids)

    crowd.platform.approve = refuse  # type: ignore[method-assign,assignment]
    settle(crowd)
    assert len(sent) == 9
    found = payments(crowd, campaign_id)
    assert sorted(each["state"] for each in found) == ["paid"] * 15 + ["refused"]
    assert [each["problem"] for each in found if each["problem"]] == ["this person is banned"]
    ensure_sound(crowd)


def test_a_failure_after_a_part_postpones_the_rest(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    first = earner(crowd, campaign_id, 0)
    earner(crowd, campaign_id, 0)
    crowd.platform.says(first.submission_id, SubmissionState.APPROVED)
    crowd.platform.faults["approve"] = [Unavailable("429")]
    listed = calls(crowd, "submissions")
    for _ in range(3):
        carry_out_payments(crowd.app)
    assert (states(crowd, campaign_id), len(listed)) == (["paid", "unknown"], 1)
    settle(crowd)
    ensure_sound(crowd)


@pytest.mark.parametrize("is_registered", [False, True])
def test_prepared_bonuses_of_work_that_earns_nothing_any_more_are_not_paid(
    crowd: Crowd, is_registered: bool
) -> None:
    campaign_id = crowd.launched()
    lost, other = earner(crowd, campaign_id, 1), earner(crowd, campaign_id, 2)
    settle(crowd)
    pay_bonuses(crowd, campaign_id)
    if is_registered:
        crowd.platform.faults["pay"] = [Unavailable("429")]
        while carry_out_payments(crowd.app):
            pass
        assert len(crowd.platform.prepared) == 1
    crowd.platform.says(lost.submission_id, SubmissionState.REJECTED)
    follow_late_decisions(crowd.app)
    crowd.wait(1)
    settle(crowd)
    assert crowd.platform.paid == {other.submission_id: [60]}
    found = [each for each in payments(crowd, campaign_id) if each["kind"] == "bonus"]
    assert sorted((each["state"], each["amount_minor"]) for each in found) == [("paid", 60), ("refused", 30)]
    assert crowd.campaign(campaign_id)["owed_minor"] == 0


def test_a_second_click_on_mark_as_paid_changes_nothing(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    earner(crowd, campaign_id, 0)
    crowd.platform.faults["approve"] = [Refused("this person is banned")]
    settle(crowd)
    (payment,) = payments(crowd, campaign_id)
    for _ in range(2):
        answer = crowd.send("PUT", f"/payments/{payment['payment_id']}/paid")
        assert (answer.status_code, answer.get_json()["state"]) == (200, "paid")
    answer = crowd.send("PUT", f"/payments/{payment['payment_id']}/unpaid")
    assert answer.get_json()["type"] == "/problems/paid-by-platform"
    assert crowd.campaign(campaign_id)["paid_minor"] == 150


def test_a_reward_that_the_platform_has_paid_after_all_has_its_fee(crowd: Crowd) -> None:
    campaign_id = crowd.launched(places=1)
    earner(crowd, campaign_id, 0)
    crowd.platform.ignores_approvals = True
    carry_out_payments(crowd.app)
    crowd.wait(20)
    (payment,) = payments(crowd, campaign_id)
    for outcome, state in (("unpaid", "refused"), ("paid", "paid")):
        answer = crowd.send("PUT", f"/payments/{payment['payment_id']}/{outcome}")
        assert answer.get_json()["state"] == state
    found = balances(crowd, campaign_id)
    assert (found[Account.RESERVED], found[Account.PAID], found[Account.FEES]) == (0, 150, 50)


def test_a_reward_that_is_paid_outside_costs_no_fee(crowd: Crowd) -> None:
    campaign_id = crowd.launched(places=2)
    earner(crowd, campaign_id, 0)
    earner(crowd, campaign_id, 0)
    crowd.platform.faults["approve"] = [Refused("a bad id"), Refused("this person is banned")]
    settle(crowd)
    (refused,) = [each for each in payments(crowd, campaign_id) if each["state"] == "refused"]
    crowd.send("PUT", f"/payments/{refused['payment_id']}/paid")
    found = balances(crowd, campaign_id)
    assert (found[Account.RESERVED], found[Account.PAID], found[Account.FEES]) == (0, 300, 50)
    assert found[Account.OWNER] == -350
    crowd.send("PUT", f"/campaigns/{campaign_id}/state", {"state": "ended"})
    assert balances(crowd, campaign_id) == found
