"""The protocol `CrowdPlatform`, held by each adapter against a server that the adapter's author did not write."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import urllib3
from crowd.domain.platforms import (
    EntryRefused,
    OutcomeUnknown,
    Refused,
    RejectionCategory,
    StudyUnknown,
    SubmissionState,
    Unavailable,
)

from tests.crowd_platforms.server import CrowdPlatforms

from .connections import WEBHOOK_SECRET, Connection, connect

REASON = "The sentences do not follow the instructions: each of them repeats the example of the page word for word."
ANY_CALL = "/api/v1/|MTurk"
PAYING_CALL = "/pay/|MTurk SendBonus"
ALWAYS = 50
"""More often than any client tries again by itself."""


def on(*kinds: str) -> pytest.MarkDecorator:
    """Run a test on some adapters only."""
    return pytest.mark.parametrize("connection", kinds, indirect=True)


def test_a_study_is_created_published_paused_and_stopped(connection: Connection) -> None:
    adapter = connection.adapter
    assert adapter.find_study("campaign-1") is None
    study_id = adapter.create_study(connection.study())
    assert adapter.find_study("campaign-1") == study_id
    connection.server.control("POST", "clock", seconds=31)  # Mechanical Turk's shortest life of a HIT.
    assert not connection.is_open(study_id), "nobody gets in before it is published"
    steps = ((adapter.publish, True), (adapter.pause, False), (adapter.publish, True), (adapter.stop, False))
    for step, is_open in steps:
        step(study_id)
        step(study_id)  # As after an answer that was lost.
        assert connection.is_open(study_id) is is_open
        if step != adapter.stop:
            assert adapter.is_paused(study_id) is not is_open


def test_people_who_work_go_on_while_a_study_is_paused_or_stopped(connection: Connection) -> None:
    study_id = connection.published()
    arrived = connection.arrival(study_id)
    for step in (connection.adapter.pause, connection.adapter.stop):
        step(study_id)
        back = connection.arrival(study_id, worker_id=arrived["worker_id"])
        assert connection.adapter.check_entry(back["parameters"]).submission_id == arrived["submission_id"]


def test_a_full_study_can_be_paused_and_stopped(connection: Connection) -> None:
    study_id = connection.published(places=1)
    connection.handed_in(study_id)
    assert not connection.adapter.is_paused(study_id)
    connection.adapter.pause(study_id)
    connection.adapter.stop(study_id)
    assert not connection.is_open(study_id)


def test_a_study_is_found_among_many(connection: Connection) -> None:
    created = {
        f"campaign-{n}": connection.adapter.create_study(connection.study(f"campaign-{n}")) for n in range(25)
    }
    assert {each: connection.adapter.find_study(each) for each in created} == created
    assert connection.adapter.find_study("campaign-") is None


def test_places_only_grow(connection: Connection) -> None:
    study_id = connection.published()
    connection.adapter.set_places(study_id, 15)
    connection.adapter.set_places(study_id, 15)  # As after an answer that was lost.
    with pytest.raises(Refused):
        connection.adapter.set_places(study_id, 13)
    (study,) = connection.server.control("GET", "studies")
    assert 15 in (study.get("total_available_places"), study.get("MaxAssignments"))


def test_a_full_study_lets_people_in_again_when_its_places_grow(connection: Connection) -> None:
    study_id = connection.published(places=10)
    connection.handed_in(study_id, 10)
    assert not connection.is_open(study_id)
    connection.adapter.set_places(study_id, 11)
    assert connection.is_open(study_id)


@on("mturk")
def test_the_reason_against_more_places_is_the_platforms(connection: Connection) -> None:
    study_id = connection.published(places=5)
    with pytest.raises(Refused, match="fewer than 10"):
        connection.adapter.set_places(study_id, 12)


def test_the_cost_has_rewards_and_fees_in_whole_minor_units(connection: Connection) -> None:
    cost = connection.adapter.cost_minor(100, 5, connection.adapter.currencies[0])
    assert isinstance(cost, int)
    assert 500 < cost < 1_000


def test_a_genuine_entry_names_study_worker_and_submission(connection: Connection) -> None:
    arrived = connection.arrival(connection.published())
    entry = connection.adapter.check_entry(arrived["parameters"])
    found = (entry.study_id, entry.worker_id, entry.submission_id)
    assert found == tuple(arrived[name] for name in ("study_id", "worker_id", "submission_id"))
    assert entry.is_proved is connection.adapter.proves_people


def test_an_entry_without_a_parameter_or_with_an_absurd_one_is_refused(connection: Connection) -> None:
    parameters = connection.arrival(connection.published())["parameters"]
    ids = [each for each in parameters if each not in ("turkSubmitTo", "prolific_token")]
    for name in ids:
        for wrong in ({}, {name: ""}, {name: "x" * 5_000}, {name: "🙂\u202e"}, {name: "../users/me"}):
            others = {key: value for key, value in parameters.items() if key != name}
            with pytest.raises(EntryRefused):
                connection.adapter.check_entry({**others, **wrong})
    with pytest.raises(EntryRefused):
        connection.adapter.check_entry({})


@on("mturk")
def test_a_preview_is_no_entry(connection: Connection) -> None:
    parameters = connection.arrival(connection.published())["parameters"]
    with pytest.raises(EntryRefused):
        connection.adapter.check_entry({**parameters, "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"})


@on("prolific", "prolific-signed")
def test_swapped_entries_are_refused(connection: Connection) -> None:
    study_id, other_id = connection.published(), connection.published(campaign_id="campaign-2")
    own, strange = connection.arrival(study_id)["parameters"], connection.arrival(other_id)["parameters"]
    for name in own:
        if own[name] != strange[name]:
            with pytest.raises(EntryRefused):
                connection.adapter.check_entry({**own, name: strange[name]})


@on("prolific", "prolific-signed")
def test_an_entry_that_the_platform_does_not_know_is_refused(connection: Connection) -> None:
    parameters = connection.arrival(connection.published())["parameters"]
    connection.server.control("POST", "reset")
    with pytest.raises(EntryRefused):
        connection.adapter.check_entry({**parameters, "prolific_token": "a.b.c"})


@on("prolific-signed")
def test_an_old_signature_is_refused(connection: Connection) -> None:
    study_id = connection.published()
    connection.server.control("POST", "clock", seconds=-24 * 3_600)
    with pytest.raises(EntryRefused):
        connection.adapter.check_entry(connection.arrival(study_id)["parameters"])


@on("prolific")
@pytest.mark.parametrize("end", ["returned", "timed_out"])
def test_an_entry_of_someone_who_returned_or_timed_out_is_refused(connection: Connection, end: str) -> None:
    arrived = connection.arrival(connection.published())
    connection.server.control("POST", f"submissions/{arrived['submission_id']}/end", **{"as": end})
    with pytest.raises(EntryRefused):
        connection.adapter.check_entry(arrived["parameters"])


@pytest.mark.parametrize(
    ("code", "status"),
    [("DONE1234", "AWAITING REVIEW"), ("OUT12345", "SCREENED OUT"), ("BACK1234", "AWAITING REVIEW")],
)
def test_a_worker_goes_back_with_a_code(connection: Connection, code: str, status: str) -> None:
    arrived = connection.arrival(study_id := connection.published())
    address = connection.adapter.back_url(study_id, arrived["submission_id"], code, arrived["parameters"])
    assert address is not None
    address = address.replace("https://workersandbox.mturk.com", connection.server.url)
    cookie = {
        "Cookie": f"prolific_session={arrived['submission_id']}"
    }  # As the browser of the worker has it.
    urllib3.request("GET", address, headers=cookie)
    (submission,) = connection.server.control("GET", "submissions")
    assert submission["entered_code"] == code
    assert submission["status"] == (status if connection.kind != "mturk" else "Submitted")
    assert (submission["return_requested"] is not None) is (code == "BACK1234" and connection.kind != "mturk")
    screened_out = [(arrived["submission_id"], 20)] if status == "SCREENED OUT" else []
    assert connection.paid("screen_out") == (screened_out if connection.kind != "mturk" else [])


def test_submissions_have_their_states(connection: Connection) -> None:
    study_id = connection.published()
    working, returned, timed_out = (connection.arrival(study_id)["submission_id"] for _ in range(3))
    submitted, approved, rejected = connection.handed_in(study_id, 3)
    screened_out = connection.arrival(study_id)["submission_id"]
    connection.server.control("POST", f"submissions/{returned}/end", **{"as": "returned"})
    connection.server.control("POST", f"submissions/{timed_out}/end", **{"as": "timed_out"})
    connection.adapter.approve(study_id, [approved])
    connection.settle()
    connection.adapter.reject(study_id, rejected, RejectionCategory.LOW_EFFORT, REASON)
    known = {submitted: SubmissionState.SUBMITTED, approved: SubmissionState.APPROVED}
    known[rejected] = SubmissionState.REJECTED
    if connection.kind != "mturk":  # It tells nothing of assignments before they are handed in.
        connection.server.control("POST", f"submissions/{screened_out}/completion", code="OUT12345")
        known |= {working: SubmissionState.WORKING, returned: SubmissionState.RETURNED}
        known |= {timed_out: SubmissionState.TIMED_OUT, screened_out: SubmissionState.SCREENED_OUT}
    found = connection.adapter.submissions(study_id)
    assert {each.submission_id: each.state for each in found} == known


def test_all_submissions_of_a_large_study_are_listed(connection: Connection) -> None:
    study_id = connection.published(places=120)
    ids = connection.handed_in(study_id, 110)
    assert sorted(each.submission_id for each in connection.adapter.submissions(study_id)) == sorted(ids)


def test_approving_twice_pays_the_reward_once(connection: Connection) -> None:
    study_id = connection.published()
    first, second, third = connection.handed_in(study_id, 3)
    connection.adapter.approve(study_id, [first, second])
    with suppress(Refused):
        connection.adapter.approve(study_id, [second])  # Before the platform has settled it.
    connection.settle()
    with suppress(Refused):
        connection.adapter.approve(study_id, [first])
    connection.adapter.approve(study_id, [third])
    connection.settle()
    assert sorted(connection.paid("reward")) == sorted((each, 150) for each in (first, second, third))


@pytest.mark.parametrize("category", RejectionCategory)
def test_a_rejection_has_a_category_and_a_reason(connection: Connection, category: RejectionCategory) -> None:
    study_id = connection.published()
    (submission_id,) = connection.handed_in(study_id)
    for _ in range(2):  # The second as after an answer that was lost.
        connection.adapter.reject(study_id, submission_id, category, REASON)
    (submission,) = connection.server.control("GET", "submissions")
    assert submission["status"].upper() == "REJECTED"
    assert REASON in submission["rejection"]["message"]


@on("prolific")
def test_a_short_reason_is_refused_with_the_least_length(connection: Connection) -> None:
    study_id = connection.published()
    (submission_id,) = connection.handed_in(study_id)
    with pytest.raises(Refused, match="100"):
        connection.adapter.reject(study_id, submission_id, RejectionCategory.OTHER, "Too short.")


def test_an_approved_submission_can_not_be_rejected(connection: Connection) -> None:
    study_id = connection.published()
    (submission_id,) = connection.handed_in(study_id)
    connection.adapter.approve(study_id, [submission_id])
    connection.settle()
    with pytest.raises(Refused):
        connection.adapter.reject(study_id, submission_id, RejectionCategory.OTHER, REASON)


def test_prepared_bonuses_are_paid_exactly(connection: Connection) -> None:
    study_id = connection.published()
    amounts = (1, 30, 105, 123_456)
    owed = list(zip(connection.handed_in(study_id, len(amounts)), amounts, strict=True))
    payments = connection.payments(study_id, *owed)
    reference = connection.adapter.prepare(payments)
    assert connection.paid() == [], "preparing pays nothing"
    connection.adapter.pay(reference, payments)
    connection.settle()
    assert connection.paid() == owed
    found = connection.adapter.bonuses(study_id, [each for each, _ in owed])
    assert found == {each: [amount] for each, amount in owed}


def test_equal_bonuses_one_after_the_other_are_all_paid_and_listed(connection: Connection) -> None:
    study_id = connection.published()
    first, second, third = connection.handed_in(study_id, 3)
    for number, amount in enumerate((30, 30, 45)):
        payments = connection.payments(study_id, (first, amount), (second, 10), run=number)
        connection.adapter.pay(connection.adapter.prepare(payments), payments)
        connection.settle()
    found = connection.adapter.bonuses(study_id, [first, third])
    assert {key: sorted(value) for key, value in found.items() if value} == {first: [30, 30, 45]}


def test_bonuses_that_have_not_settled_are_not_listed(connection: Connection) -> None:
    study_id = connection.published()
    (submission_id,) = connection.handed_in(study_id)
    payments = connection.payments(study_id, (submission_id, 30))
    connection.adapter.pay(connection.adapter.prepare(payments), payments)
    expected = [30] if connection.kind == "mturk" else []
    assert list(connection.adapter.bonuses(study_id, [submission_id]).get(submission_id, ())) == expected


@pytest.mark.parametrize("answer", ["drop", 500])
def test_a_bonus_whose_answer_was_lost_is_found_and_not_paid_again(
    connection: Connection, answer: str | int
) -> None:
    study_id = connection.published()
    (submission_id,) = connection.handed_in(study_id)
    payments = connection.payments(study_id, (submission_id, 30))
    reference = connection.adapter.prepare(payments)
    connection.server.fail(PAYING_CALL, "after", answer)
    with pytest.raises(OutcomeUnknown):
        connection.adapter.pay(reference, payments)
    connection.settle()
    assert connection.adapter.bonuses(study_id, [submission_id]) == {submission_id: [30]}
    assert connection.paid() == [(submission_id, 30)]


def test_a_bonus_that_was_not_carried_out_is_paid_by_the_same_reference(connection: Connection) -> None:
    study_id = connection.published()
    first, second = connection.handed_in(study_id, 2)
    payments = connection.payments(study_id, (first, 30), (second, 60))
    reference = connection.adapter.prepare(payments)
    connection.server.fail(PAYING_CALL, "before", "drop", times=ALWAYS)
    with pytest.raises(OutcomeUnknown):
        connection.adapter.pay(reference, payments)
    connection.server.control("DELETE", "faults")
    assert not any(connection.adapter.bonuses(study_id, [first, second]).values())
    connection.adapter.pay(reference, payments)
    connection.settle()
    assert connection.paid() == [(first, 30), (second, 60)]


def test_paying_a_reference_twice_pays_once(connection: Connection, request: pytest.FixtureRequest) -> None:
    if connection.kind != "mturk":
        reason = "Prolific's description: the call is not idempotent, and pays again."
        request.applymarker(pytest.mark.xfail(strict=True, reason=reason))
    study_id = connection.published()
    first, second = connection.handed_in(study_id, 2)
    payments = connection.payments(study_id, (first, 30), (second, 60))
    reference = connection.adapter.prepare(payments)
    connection.adapter.pay(reference, payments)
    connection.settle()
    connection.adapter.pay(reference, payments)
    assert connection.paid() == [(first, 30), (second, 60)]


@on("mturk")
def test_a_payment_that_broke_off_is_finished(connection: Connection) -> None:
    study_id = connection.published()
    first, second, third = connection.handed_in(study_id, 3)
    payments = connection.payments(study_id, (first, 30), (second, 60), (third, 90))
    reference = connection.adapter.prepare(payments)
    connection.adapter.pay(reference, payments[:1])
    connection.server.fail(PAYING_CALL, "after", "drop")
    with pytest.raises(OutcomeUnknown):
        connection.adapter.pay(reference, payments)
    connection.adapter.pay(reference, payments)
    assert connection.paid() == [(first, 30), (second, 60), (third, 90)]


def calls_of(connection: Connection) -> dict[str, Callable[[], Any]]:
    """Return the calls that change something, ready to be made."""
    adapter, study_id = connection.adapter, connection.published()
    (submission_id,) = connection.handed_in(study_id)
    payments = connection.payments(study_id, (submission_id, 30))
    reference = adapter.prepare(payments)
    return {
        "create_study": lambda: adapter.create_study(connection.study("campaign-2")),
        "pause": lambda: adapter.pause(study_id),
        "set_places": lambda: adapter.set_places(study_id, 20),
        "approve": lambda: adapter.approve(study_id, [submission_id]),
        "reject": lambda: adapter.reject(study_id, submission_id, RejectionCategory.OTHER, REASON),
        "pay": lambda: adapter.pay(reference, payments),
    }


CHANGES = ("create_study", "pause", "set_places", "approve", "reject", "pay")
WRITING_CALL = "POST /api/|PATCH /api/|MTurk (Create|Update|Approve|Reject|Send)"


@pytest.mark.parametrize("change", CHANGES)
def test_a_platform_that_asks_to_wait_is_unavailable(connection: Connection, change: str) -> None:
    call = calls_of(connection)[change]
    body = (
        {"__type": "ThrottlingException", "message": "Rate exceeded"} if connection.kind == "mturk" else None
    )
    connection.server.fail(ANY_CALL, "before", 429, times=ALWAYS, headers={"Retry-After": "7"}, body=body)
    with pytest.raises(Unavailable):
        call()


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("answer", ["drop", 500])
def test_the_outcome_of_a_change_without_an_answer_is_unknown(
    connection: Connection, change: str, answer: str | int
) -> None:
    call = calls_of(connection)[change]
    connection.server.fail(WRITING_CALL, "after", answer, times=ALWAYS)
    with pytest.raises(OutcomeUnknown):
        call()


@pytest.mark.parametrize("change", CHANGES)
def test_a_refusal_has_the_platforms_reason(connection: Connection, change: str) -> None:
    call = calls_of(connection)[change]
    reason = "Your balance is too low."
    body: dict[str, Any] = {"error": {"status": 400, "title": "Bad request", "detail": {"balance": [reason]}}}
    if connection.kind == "mturk":
        body = {
            "__type": "RequestError",
            "Message": reason,
            "TurkErrorCode": "AWS.MechanicalTurk.InsufficientFunds",
        }
    connection.server.fail(WRITING_CALL, "before", 400, times=ALWAYS, body=body)
    with pytest.raises(Refused, match=re.escape(reason)):
        call()


def test_a_study_whose_answer_was_lost_is_found(connection: Connection) -> None:
    connection.server.fail("POST /api/v1/studies/$|MTurk CreateHIT$", "after", "drop")
    with pytest.raises(OutcomeUnknown):
        connection.adapter.create_study(connection.study())
    study_id = connection.adapter.find_study("campaign-1")
    (study,) = connection.server.control("GET", "studies")
    assert study_id in (study.get("id"), study.get("HITId"))


@on("prolific", "prolific-signed")
def test_a_study_that_the_platform_finds_wrong_is_refused_by_its_reason(connection: Connection) -> None:
    with pytest.raises(Refused, match="screen-out pays less"):
        connection.adapter.create_study(connection.study(screen_out_minor=150))


def test_ids_that_the_platform_does_not_know_are_refused(connection: Connection) -> None:
    unknown = "5F0C9E0000000000000000AA"
    adapter = connection.adapter
    for call in (adapter.publish, adapter.pause, adapter.stop, adapter.is_paused, adapter.submissions):
        with pytest.raises(StudyUnknown):
            call(unknown)
    with pytest.raises(Refused):
        connection.adapter.approve(connection.published(), [unknown])


def test_a_platform_that_is_not_there_is_unavailable(connection: Connection, tmp_path: Path) -> None:
    gone = CrowdPlatforms()
    adapter = connect(gone, tmp_path, connection.kind).adapter
    gone.start()
    gone.stop()
    with pytest.raises(Unavailable):
        adapter.find_study("campaign-1")
    with pytest.raises(Unavailable):
        adapter.create_study(connection.study())


def test_a_wrong_secret_is_refused(connection: Connection, tmp_path: Path) -> None:
    (other := tmp_path / "other").mkdir()
    (other / "wrong").write_text("wrong")
    wrong = (
        {"access_key_id": "AKIAWRONGWRONGWRONG0"}
        if connection.kind == "mturk"
        else {"token_file": str(other / "wrong")}
    )
    adapter = connect(connection.server, other, connection.kind, **wrong).adapter
    with pytest.raises(Refused):
        adapter.create_study(connection.study())


def notices(connection: Connection, **wish: Any) -> list[tuple[dict[str, str], bytes]]:
    """Return the requests of webhooks as the platform would send them."""
    made = connection.server.control("POST", "webhooks", **{"secret": WEBHOOK_SECRET, **wish})
    return [(each["headers"], each["body"].encode()) for each in made]


@on("prolific")
@pytest.mark.parametrize("wish", [{}, {"times": 2}, {"times": 13, "reversed": True}])
def test_a_genuine_notice_names_its_study_however_often_it_comes(
    connection: Connection, wish: dict[str, Any]
) -> None:
    study_id = connection.published()
    connection.handed_in(study_id, 2)
    events = connection.server.control("GET", "events")
    found = [connection.adapter.read_notice(*each) for each in notices(connection, **wish)]
    assert found == [study_id] * (len(events) * wish.get("times", 1))


@on("prolific")
@pytest.mark.parametrize("wish", [{"forged": True}, {"age_seconds": 3_600}, {"age_seconds": -3_600}])
def test_a_forged_or_old_notice_is_refused(connection: Connection, wish: dict[str, Any]) -> None:
    connection.published()
    for each in notices(connection, **wish):
        with pytest.raises(EntryRefused):
            connection.adapter.read_notice(*each)


@on("prolific")
def test_a_notice_that_was_changed_or_is_not_signed_is_refused(connection: Connection) -> None:
    connection.published()
    headers, body = notices(connection)[0]
    later = {**headers, "X-Prolific-Request-Timestamp": str(int(headers["X-Prolific-Request-Timestamp"]) + 1)}
    for changed in (
        (headers, body + b" "),
        (later, body),
        ({}, body),
        ({**later, "X-Prolific-Request-Timestamp": "x"}, body),
    ):
        with pytest.raises(EntryRefused):
            connection.adapter.read_notice(*changed)


@on("prolific")
@pytest.mark.parametrize(
    "body",
    [
        {
            "event_type": "submission.status.change",
            "resource_id": "5f0c9e0000000000000000aa",
            "status": "ACTIVE",
        },
        {"event_type": "participant.something.new", "resource_id": "5f0c9e0000000000000000aa"},
        {"event_type": "submission.status.change"},
        {},
    ],
)
def test_a_notice_about_something_unknown_is_about_no_study(
    connection: Connection, body: dict[str, Any]
) -> None:
    ((headers, content),) = notices(connection, body=body)
    assert connection.adapter.read_notice(headers, content) is None


@on("mturk")
def test_a_platform_without_notices_believes_none(connection: Connection) -> None:
    with pytest.raises(EntryRefused):
        connection.adapter.read_notice({}, json.dumps({"event_type": "x"}).encode())
