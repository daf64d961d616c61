"""Mechanical Turk's adapter against botocore's stubber, which checks each call against Amazon's service model."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from botocore.exceptions import ConnectTimeoutError, EndpointConnectionError, ReadTimeoutError
from botocore.stub import ANY, Stubber
from crowd.adapters.platforms import build_platforms
from crowd.adapters.platforms.mturk import Mturk
from crowd.domain.platforms import (
    Entry,
    EntryRefused,
    OutcomeUnknown,
    Payment,
    Refused,
    RejectionCategory,
    Study,
    Submission,
    SubmissionState,
    Unavailable,
)

HIT, ASSIGNMENT, WORKER = "3HIT", "3ASSIGNMENT", "A1B2C3D4E5F6G7"
CAMPAIGN = Study(
    campaign_id="0197-campaign",
    title="Fool a model",
    description="Write sentences.",
    entry_url="https://dynabench.example/campaigns/0197/start?a=1&b=2",
    reward_minor=150,
    screen_out_minor=0,
    currency="USD",
    places=9,
    minutes=15,
    typical_minutes=9,
    languages=("en",),
    qualifications=("3GROUP", "000000000000000000L0>=95"),
    codes={},
)
PAYMENTS = [
    Payment("p1", HIT, ASSIGNMENT, WORKER, 30, "USD", "Thanks"),
    Payment("p2", HIT, "3OTHER", "A9", 1205, "USD", "Thanks"),
]
BONUS = {"WorkerId": WORKER, "BonusAmount": "0.30", "AssignmentId": ASSIGNMENT, "Reason": "Thanks"}
OTHER_BONUS = {"WorkerId": "A9", "BonusAmount": "12.05", "AssignmentId": "3OTHER", "Reason": "Thanks"}


@pytest.fixture(scope="module")
def mturk() -> Mturk:
    listed = {"name": "mturk", "kind": "mturk", "title": "Mechanical Turk", "sandbox": True}
    platform = build_platforms(json.dumps([listed]))["mturk"]
    assert isinstance(platform, Mturk)
    return platform


@pytest.fixture
def amazon(mturk: Mturk) -> Iterator[Stubber]:
    with Stubber(mturk.client) as stubber:
        yield stubber
        stubber.assert_no_pending_responses()


def assignment(status: str, name: str = ASSIGNMENT) -> dict[str, Any]:
    return {"AssignmentId": name, "WorkerId": WORKER, "AssignmentStatus": status, "HITId": HIT}


def listed(amazon: Stubber, *found: dict[str, Any]) -> None:
    amazon.add_response("list_assignments_for_hit", {"Assignments": list(found)}, {"HITId": HIT})


def test_a_hit_shows_the_entry_page_and_expires_until_it_is_published(amazon: Stubber, mturk: Mturk) -> None:
    question = (
        '<ExternalQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/'
        'ExternalQuestion.xsd"><ExternalURL>https://dynabench.example/campaigns/0197/start?a=1&amp;b=2'
        "</ExternalURL><FrameHeight>0</FrameHeight></ExternalQuestion>"
    )
    requirements: list[dict[str, Any]] = [
        {"QualificationTypeId": "3GROUP", "Comparator": "Exists"},
        {
            "QualificationTypeId": "000000000000000000L0",
            "Comparator": "GreaterThanOrEqualTo",
            "IntegerValues": [95],
        },
    ]
    amazon.add_response(
        "create_hit",
        {"HIT": {"HITId": HIT}},
        {
            "Title": "Fool a model",
            "Description": "Write sentences.",
            "Reward": "1.50",
            "MaxAssignments": 9,
            "AssignmentDurationInSeconds": 900,
            "LifetimeInSeconds": 30,
            "AutoApprovalDelayInSeconds": 2_592_000,
            "Question": question,
            "RequesterAnnotation": "0197-campaign",
            "UniqueRequestToken": "0197-campaign",
            "QualificationRequirements": [
                {**each, "ActionsGuarded": "DiscoverPreviewAndAccept"} for each in requirements
            ],
        },
    )
    amazon.add_response("update_expiration_for_hit", {}, {"HITId": HIT, "ExpireAt": ANY})
    assert mturk.create_study(CAMPAIGN) == HIT
    mturk.publish(HIT)


def test_a_hit_that_exists_is_found_by_its_campaign(amazon: Stubber, mturk: Mturk) -> None:
    amazon.add_client_error(
        "create_hit",
        "RequestError",
        http_status_code=400,
        modeled_fields={
            "TurkErrorCode": "AWS.MechanicalTurk.HITAlreadyExists",
            "Message": f"HIT {HIT} exists",
        },
    )
    amazon.add_response("list_hits", {"HITs": [{"HITId": "x"}], "NextToken": "next"}, {})
    amazon.add_response(
        "list_hits", {"HITs": [{"HITId": HIT, "RequesterAnnotation": "0197-campaign"}]}, {"NextToken": "next"}
    )
    assert mturk.create_study(CAMPAIGN) == HIT


def test_nobody_is_paid_for_being_screened_out(mturk: Mturk) -> None:
    screened = Study(**{**vars(CAMPAIGN), "screen_out_minor": 10})
    with pytest.raises(Refused, match="screened out"):
        mturk.create_study(screened)


def test_an_unreadable_qualification_is_refused(mturk: Mturk) -> None:
    with pytest.raises(Refused, match="id>=score"):
        mturk.create_study(Study(**{**vars(CAMPAIGN), "qualifications": ("adults only",)}))


def test_pausing_and_stopping_expire_the_hit(amazon: Stubber, mturk: Mturk) -> None:
    past = {"HITId": HIT, "ExpireAt": datetime(2015, 1, 1, tzinfo=UTC)}
    amazon.add_response("update_expiration_for_hit", {}, past)
    amazon.add_response("update_expiration_for_hit", {}, past)
    mturk.pause(HIT)
    mturk.stop(HIT)


def test_places_only_grow(amazon: Stubber, mturk: Mturk) -> None:
    for _ in range(3):
        amazon.add_response("get_hit", {"HIT": {"MaxAssignments": 12}}, {"HITId": HIT})
    mturk.set_places(HIT, 12)
    with pytest.raises(Refused, match="12 places"):
        mturk.set_places(HIT, 11)
    amazon.add_response(
        "create_additional_assignments_for_hit",
        {},
        {"HITId": HIT, "NumberOfAdditionalAssignments": 8, "UniqueRequestToken": "3HIT-20"},
    )
    mturk.set_places(HIT, 20)


@pytest.mark.parametrize(
    ("rule", "reward", "places", "cost"),
    [
        ("20 % below ten places", 100, 9, 1080),
        ("40 % from ten places on", 100, 10, 1400),
        ("at least a cent for each", 1, 2, 4),
        ("a part of a cent counts as one", 103, 1, 124),
    ],
)
def test_the_cost_holds_amazons_fee(mturk: Mturk, rule: str, reward: int, places: int, cost: int) -> None:
    assert mturk.cost_minor(reward, places, "USD") == cost, rule


def test_an_entry_is_read_and_not_proved(mturk: Mturk) -> None:
    parameters = {
        "hitId": HIT,
        "workerId": WORKER,
        "assignmentId": ASSIGNMENT,
        "turkSubmitTo": "https://evil",
    }
    assert mturk.check_entry(parameters) == Entry(HIT, WORKER, ASSIGNMENT, is_proved=False)
    assert mturk.back_url(HIT, ASSIGNMENT, "DONE", parameters) == (
        "https://workersandbox.mturk.com/mturk/externalSubmit?assignmentId=3ASSIGNMENT&code=DONE"
    )


@pytest.mark.parametrize(
    ("rule", "parameters", "text"),
    [
        ("a preview", {"hitId": HIT, "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"}, "preview"),
        ("without a worker", {"hitId": HIT, "assignmentId": ASSIGNMENT}, "lacks"),
        ("an unusable id", {"hitId": HIT, "assignmentId": ASSIGNMENT, "workerId": "A" * 65}, "lacks"),
    ],
)
def test_an_entry_is_refused(mturk: Mturk, rule: str, parameters: dict[str, str], text: str) -> None:
    with pytest.raises(EntryRefused, match=text):
        mturk.check_entry(parameters)


def test_submissions_have_the_states_of_the_protocol(amazon: Stubber, mturk: Mturk) -> None:
    listed(amazon, assignment("Submitted", "a"), assignment("Approved", "b"), assignment("Rejected", "c"))
    assert mturk.submissions(HIT) == (
        Submission("a", WORKER, SubmissionState.SUBMITTED),
        Submission("b", WORKER, SubmissionState.APPROVED),
        Submission("c", WORKER, SubmissionState.REJECTED),
    )


def test_assignments_are_approved_one_by_one(amazon: Stubber, mturk: Mturk) -> None:
    for each in ("a", "b"):
        amazon.add_response("approve_assignment", {}, {"AssignmentId": each})
    mturk.approve(HIT, ["a", "b"])


def test_what_is_rejected_is_left_alone(amazon: Stubber, mturk: Mturk) -> None:
    listed(amazon, assignment("Rejected", "a"), assignment("Submitted", "b"))
    mturk.reject(HIT, "a", RejectionCategory.OTHER, "Empty.")
    listed(amazon, assignment("Rejected", "a"), assignment("Submitted", "b"))
    amazon.add_response("reject_assignment", {}, {"AssignmentId": "b", "RequesterFeedback": "Empty."})
    mturk.reject(HIT, "b", RejectionCategory.OTHER, "Empty.")


def test_each_bonus_has_its_own_token(amazon: Stubber, mturk: Mturk) -> None:
    amazon.add_response("send_bonus", {}, {**BONUS, "UniqueRequestToken": "p1"})
    amazon.add_response("send_bonus", {}, {**OTHER_BONUS, "UniqueRequestToken": "p2"})
    mturk.pay(mturk.prepare(PAYMENTS), PAYMENTS)


def test_a_bonus_that_was_sent_before_is_fine(amazon: Stubber, mturk: Mturk) -> None:
    amazon.add_client_error(
        "send_bonus",
        "RequestError",
        http_status_code=400,
        modeled_fields={"TurkErrorCode": "AWS.MechanicalTurk.DuplicateRequest", "Message": "Sent before"},
    )
    amazon.add_response("send_bonus", {}, {**OTHER_BONUS, "UniqueRequestToken": "p2"})
    mturk.pay("p1", PAYMENTS)


@pytest.mark.parametrize(("first_is_paid", "raised"), [(False, Refused), (True, OutcomeUnknown)])
def test_a_refusal_after_a_paid_bonus_leaves_the_outcome_unknown(
    amazon: Stubber, mturk: Mturk, first_is_paid: bool, raised: type[Exception]
) -> None:
    if first_is_paid:
        amazon.add_response("send_bonus", {}, {**BONUS, "UniqueRequestToken": "p1"})
    amazon.add_client_error(
        "send_bonus",
        "RequestError",
        f"No funds for {WORKER}",
        http_status_code=400,
        modeled_fields={"TurkErrorCode": "AWS.MechanicalTurk.InsufficientFunds"},
    )
    with pytest.raises(raised, match=r"^No funds for …$"):
        mturk.pay("p1", PAYMENTS)


@pytest.mark.parametrize(
    ("rule", "status", "code", "raised"),
    [
        ("an error of the service", 500, "ServiceFault", OutcomeUnknown),
        ("under maintenance", 503, "ServiceUnavailable", Unavailable),
        ("too many calls", 400, "ThrottlingException", Unavailable),
        ("refused", 400, "RequestError", Refused),
    ],
)
def test_an_error_has_its_meaning(
    amazon: Stubber, mturk: Mturk, rule: str, status: int, code: str, raised: type[Exception]
) -> None:
    amazon.add_client_error("send_bonus", code, "why", http_status_code=status)
    with pytest.raises(raised):
        mturk.pay("p1", PAYMENTS)


@pytest.mark.parametrize(
    ("failure", "change", "read"),
    [
        (EndpointConnectionError(endpoint_url="x"), Unavailable, Unavailable),
        (ConnectTimeoutError(endpoint_url="x"), Unavailable, Unavailable),
        (ReadTimeoutError(endpoint_url="x"), OutcomeUnknown, Unavailable),
    ],
)
def test_a_lost_answer_matters_for_changes_alone(
    mturk: Mturk,
    monkeypatch: pytest.MonkeyPatch,
    failure: Exception,
    change: type[Exception],
    read: type[Exception],
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr(mturk.client._endpoint, "make_request", fail)
    with pytest.raises(change):
        mturk.publish(HIT)
    with pytest.raises(read):
        mturk.submissions(HIT)


def test_bonuses_are_listed_by_assignment(amazon: Stubber, mturk: Mturk) -> None:
    paid = [
        {"AssignmentId": ASSIGNMENT, "BonusAmount": "0.30"},
        {"AssignmentId": ASSIGNMENT, "BonusAmount": "12.05"},
        {"AssignmentId": "3STRANGER", "BonusAmount": "1.00"},
    ]
    amazon.add_response("list_bonus_payments", {"BonusPayments": paid}, {"HITId": HIT})
    assert mturk.bonuses(HIT, [ASSIGNMENT, "3OTHER"]) == {ASSIGNMENT: [30, 1205], "3OTHER": []}


def test_webhooks_are_refused(mturk: Mturk) -> None:
    with pytest.raises(EntryRefused):
        mturk.read_notice({}, b"{}")


def test_the_sandbox_moves_no_money() -> None:
    listed = {"name": "mturk", "kind": "mturk", "title": "Mechanical Turk", "sandbox": False}
    real = build_platforms(json.dumps([listed]))["mturk"]
    assert isinstance(real, Mturk)
    assert not real.is_test
    assert real.client.meta.endpoint_url == "https://mturk-requester.us-east-1.amazonaws.com"
    assert str(real.back_url(HIT, ASSIGNMENT, "DONE", {})).startswith("https://www.mturk.com/")
