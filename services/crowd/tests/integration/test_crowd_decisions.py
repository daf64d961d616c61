"""Decisions on work: by owners, and by platforms when owners have decided or nobody has."""

import pytest
from crowd.domain.money import Account
from crowd.domain.platforms import OutcomeUnknown, Refused, SubmissionState
from crowd.service_layer.assignments import end_late, follow_late_decisions, follow_platforms
from crowd.service_layer.settling import carry_out_payments

from .conftest import REASON, Crowd
from .paying import balances, ensure_sound, settle
from .working import complete, hand_in, own


def test_owners_approve_reject_and_screen_out(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    approved, _ = hand_in(crowd, campaign_id, "w1")
    rejected, unlucky = hand_in(crowd, campaign_id, "w2")
    screened, other = crowd.entered(campaign_id, "w3")
    assert crowd.send("PUT", f"/assignments/{approved}/approval").get_json()["owed_minor"] == 150
    short = {"category": "low_effort", "reason": "bad"}
    assert crowd.send("PUT", f"/assignments/{rejected}/rejection", short).status_code == 422
    body = {"category": "low_effort", "reason": REASON}
    for _ in range(2):
        answer = crowd.send("PUT", f"/assignments/{rejected}/rejection", body).get_json()
        assert (answer["state"], answer["rejection"], answer["owed_minor"]) == ("rejected", REASON.strip(), 0)
    assert crowd.platform.rejected == [("s-w2", "low_effort", REASON.strip())]
    assert own(crowd, unlucky)["why"] == REASON.strip()
    assert crowd.send("PUT", f"/assignments/{screened}/screen-out").get_json()["owed_minor"] == 20
    code = own(crowd, other)["code"]
    assert crowd.platform.action_of(crowd.campaign(campaign_id)["study_id"], code) == "screen_out"
    assert crowd.enter(campaign_id, "w3").get_json()["work"]["code"] == code
    again = crowd.send("PUT", f"/assignments/{approved}/rejection", body)
    assert again.get_json()["type"] == "/problems/assignment-state"


def test_a_rejection_whose_answer_was_lost_gets_its_reason(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    assignment_id, person = hand_in(crowd, campaign_id)
    crowd.platform.says("s-w1", SubmissionState.REJECTED)
    follow_platforms(crowd.app)
    body = {"category": "low_effort", "reason": REASON}
    for _ in range(2):
        answer = crowd.send("PUT", f"/assignments/{assignment_id}/rejection", body).get_json()
        assert (answer["state"], answer["rejection"]) == ("rejected", REASON.strip())
    assert own(crowd, person)["why"] == REASON.strip()
    assert crowd.platform.rejected == []


@pytest.mark.parametrize("is_lost", [False, True])
def test_work_that_is_being_rejected_is_not_approved_with_the_rest(crowd: Crowd, is_lost: bool) -> None:
    """If the platform's answer to the rejection is lost, its decision counts later."""
    campaign_id = crowd.launched()
    assignment_id, person = hand_in(crowd, campaign_id)
    hand_in(crowd, campaign_id, "w2")
    approved: list[int] = []

    def approve_all() -> None:
        answer = crowd.send("POST", f"/campaigns/{campaign_id}/approvals")
        approved.append(answer.get_json()["approved"])

    def meanwhile(name: str) -> None:
        if name == "reject":
            crowd.platform.on_call = lambda _: None
            crowd.platform.says("s-w1", SubmissionState.REJECTED)
            approve_all()

    crowd.platform.on_call = meanwhile
    if is_lost:
        crowd.platform.faults["reject"] = [OutcomeUnknown("no answer")]
    body = {"category": "low_effort", "reason": REASON}
    answer = crowd.send("PUT", f"/assignments/{assignment_id}/rejection", body)
    assert answer.status_code == (503 if is_lost else 200)
    assert approved == [1]
    approve_all()
    assert approved == [1, 1 if is_lost else 0]
    carry_out_payments(crowd.app)
    follow_platforms(crowd.app)
    assert own(crowd, person)["state"] == "rejected"
    settle(crowd)
    assert crowd.campaign(campaign_id)["owed_minor"] == 0
    assert crowd.send("PUT", f"/assignments/{assignment_id}/rejection", body).status_code == 200
    assert own(crowd, person)["why"] == REASON.strip()
    ensure_sound(crowd)


def test_owners_approve_nothing_that_was_given_back(crowd: Crowd) -> None:
    assignment_id, person = crowd.entered(crowd.launched())
    assert crowd.send("PUT", f"/assignments/{assignment_id}/return", by=person).status_code == 200
    answer = crowd.send("PUT", f"/assignments/{assignment_id}/approval")
    assert answer.get_json()["type"] == "/problems/assignment-state"


@pytest.mark.parametrize("is_looked_for_first", [False, True])
@pytest.mark.parametrize(
    ("here", "told", "state", "paid"),
    [
        ("returned", SubmissionState.APPROVED, "approved", 150),
        ("rejected", SubmissionState.APPROVED, "approved", 150),
        ("timed_out", SubmissionState.APPROVED, "approved", 150),
        ("timed_out", SubmissionState.SCREENED_OUT, "screened_out", 20),
        ("screened_out", SubmissionState.SCREENED_OUT, "screened_out", 20),
        ("screened_out", SubmissionState.APPROVED, "approved", 150),
        ("screened_out", SubmissionState.RETURNED, "returned", 0),
        ("screened_out", SubmissionState.TIMED_OUT, "timed_out", 0),
        ("screened_out", SubmissionState.REJECTED, "rejected", 0),
        ("submitted", SubmissionState.TIMED_OUT, "timed_out", 0),
        ("submitted", SubmissionState.RETURNED, "returned", 0),
        ("approved", SubmissionState.RETURNED, "returned", 0),
        ("approved", SubmissionState.TIMED_OUT, "timed_out", 0),
        ("approved", SubmissionState.REJECTED, "rejected", 0),
        ("returned", SubmissionState.SUBMITTED, "returned", 0),
        ("returned", SubmissionState.RETURNED, "returned", 0),
        ("rejected", SubmissionState.SUBMITTED, "rejected", 0),
    ],
)
def test_a_late_decision_of_the_platform_counts(
    crowd: Crowd, here: str, told: SubmissionState, state: str, paid: int, is_looked_for_first: bool
) -> None:
    """The platform pays, so money and states follow it; nothing stays owed. The campaign has ended weeks ago."""
    campaign_id = crowd.launched(places=2)
    assignment_id, person = crowd.entered(campaign_id)
    if here in ("submitted", "approved", "rejected"):
        crowd.take(crowd.try_of(person), crowd.try_of(person))
        complete(crowd, assignment_id, person)
    if here == "approved":
        crowd.platform.says("s-w1", SubmissionState.SUBMITTED)
        crowd.platform.faults["approve"] = [Refused("try later")]
        crowd.send("PUT", f"/assignments/{assignment_id}/approval")
        crowd.send("POST", f"/campaigns/{campaign_id}/top-up", {"amount_minor": 40})
    elif here == "rejected":
        body = {"category": "low_effort", "reason": REASON}
        crowd.send("PUT", f"/assignments/{assignment_id}/rejection", body)
    elif here == "returned":
        crowd.send("PUT", f"/assignments/{assignment_id}/return", by=person)
    elif here == "screened_out":
        crowd.send("PUT", f"/assignments/{assignment_id}/screen-out")
    crowd.wait(60)
    end_late(crowd.app)
    crowd.send("PUT", f"/campaigns/{campaign_id}/state", {"state": "ended"})
    assert own(crowd, person)["state"] == here
    carry_out_payments(crowd.app)
    crowd.wait(21 * 24 * 60)
    crowd.platform.says("s-w1", told)
    if is_looked_for_first:
        carry_out_payments(crowd.app)
    follow_late_decisions(crowd.app)
    settle(crowd)
    assert own(crowd, person)["state"] == state
    money = crowd.campaign(campaign_id)
    found = {name: money[f"{name}_minor"] for name in ("paid", "owed", "lost", "reserved")}
    assert found == {"paid": paid, "owed": 0, "lost": 0, "reserved": 0}
    ensure_sound(crowd)


@pytest.mark.parametrize("is_paid_first", [False, True])
def test_a_decision_that_the_platform_takes_back_and_makes_again_is_paid_once(
    crowd: Crowd, is_paid_first: bool
) -> None:
    campaign_id = crowd.launched(places=1)
    assignment_id, person = hand_in(crowd, campaign_id)
    crowd.send("PUT", f"/campaigns/{campaign_id}/state", {"state": "ended"})
    crowd.send("PUT", f"/assignments/{assignment_id}/approval")
    crowd.send("POST", f"/campaigns/{campaign_id}/top-up", {"amount_minor": 40})
    for told, state in ((SubmissionState.REJECTED, "rejected"), (SubmissionState.APPROVED, "approved")):
        crowd.platform.says("s-w1", told)
        if is_paid_first:
            carry_out_payments(crowd.app)
        follow_late_decisions(crowd.app)
        settle(crowd)
        assert own(crowd, person)["state"] == state
        assert balances(crowd, campaign_id)[Account.RESERVED] == 0
        assert crowd.campaign(campaign_id)["owed_minor"] == (40 if state == "approved" else 0)
    assert crowd.campaign(campaign_id)["paid_minor"] == 150
    assert own(crowd, person)["why"] is None
    ensure_sound(crowd)


def test_platforms_are_asked_about_late_decisions_for_five_weeks(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    assignment_id, person = crowd.entered(campaign_id)
    crowd.send("PUT", f"/assignments/{assignment_id}/return", by=person)
    crowd.send("PUT", f"/campaigns/{campaign_id}/state", {"state": "ended"})
    asked: list[str] = []
    crowd.platform.on_call = asked.append
    follow_platforms(crowd.app)
    assert asked == []
    for days in (1, 30, 10):
        follow_late_decisions(crowd.app)
        crowd.wait(days * 24 * 60)
    follow_late_decisions(crowd.app)
    assert asked == ["submissions"] * 3


def test_nobody_is_screened_out_for_nothing(crowd: Crowd) -> None:
    campaign_id = crowd.launched(screen_out_minor=0)
    assignment_id, _ = crowd.entered(campaign_id)
    answer = crowd.send("PUT", f"/assignments/{assignment_id}/screen-out")
    assert (answer.status_code, answer.get_json()["field"]) == (422, "screen_out_minor")
    study = crowd.platform.studies[str(crowd.campaign(campaign_id)["study_id"])]
    assert "screen_out" not in study.codes.values()


def test_everything_handed_in_is_approved_at_once(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    for worker in ("w1", "w2"):
        hand_in(crowd, campaign_id, worker)
    crowd.entered(campaign_id, "w3")
    assert crowd.send("POST", f"/campaigns/{campaign_id}/approvals").get_json() == {"approved": 2}
    assert crowd.campaign(campaign_id)["counts"] == {"approved": 2, "working": 1}
    listed = crowd.send("GET", f"/campaigns/{campaign_id}/assignments?state=approved&limit=1").get_json()
    more = crowd.send(
        "GET", f"/campaigns/{campaign_id}/assignments?state=approved&limit=1&cursor={listed['next_cursor']}"
    ).get_json()
    assert len(listed["items"]) == len(more["items"]) == 1
    assert more["next_cursor"] is None


def test_incomplete_work_is_not_approved_with_the_rest(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    hand_in(crowd, campaign_id, "w1")
    idle, person = crowd.entered(campaign_id, "w2")
    complete(crowd, idle, person, nothing_left=True)
    assert crowd.send("POST", f"/campaigns/{campaign_id}/approvals").get_json() == {"approved": 1}
    assert crowd.send("PUT", f"/assignments/{idle}/approval").get_json()["state"] == "approved"
