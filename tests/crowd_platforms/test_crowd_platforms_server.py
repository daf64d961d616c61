"""The test server of crowd platforms, called as its clients call it."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import boto3
import pytest
import urllib3
from botocore.config import Config
from botocore.exceptions import ClientError
from joserfc import jwt
from joserfc.jwk import KeySet

from tests.crowd_platforms.server import CrowdPlatforms
from tests.crowd_platforms.state import AWS_ACCESS_KEY_ID, PROLIFIC_TOKEN

STUDY = {
    "name": "Fool a model",
    "description": "Write sentences.",
    "external_study_url": "https://x.test/entry?PROLIFIC_PID={{%PROLIFIC_PID%}}&SESSION_ID={{%SESSION_ID%}}",
    "prolific_id_option": "url_parameters",
    "completion_codes": [
        {"code": "DONE1", "code_type": "COMPLETED", "actions": [{"action": "MANUALLY_REVIEW"}]},
        {
            "code": "OUT1",
            "code_type": "FIXED_SCREENOUT",
            "actions": [
                {"action": "FIXED_SCREEN_OUT_PAYMENT", "fixed_screen_out_reward": 20, "slots": 2},
            ],
        },
    ],
    "total_available_places": 3,
    "estimated_completion_time": 10,
    "reward": 150,
}
QUESTION = (
    '<ExternalQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/'
    'ExternalQuestion.xsd"><ExternalURL>https://x.test/entry</ExternalURL><FrameHeight>0</FrameHeight>'
    "</ExternalQuestion>"
)


@pytest.fixture
def platforms() -> Iterator[CrowdPlatforms]:
    server = CrowdPlatforms()
    server.start()
    yield server
    server.stop()


def call(
    platforms: CrowdPlatforms, method: str, path: str, body: Any = None, token: str = PROLIFIC_TOKEN
) -> tuple[int, Any]:
    headers = {"Authorization": f"Token {token}"}
    answer = urllib3.request(
        method, f"{platforms.url}/api/v1/{path}", json=body, headers=headers, retries=False
    )
    return answer.status, answer.json()


def published(platforms: CrowdPlatforms, **changes: Any) -> str:
    study_id: str = call(platforms, "POST", "studies/", {**STUDY, **changes})[1]["id"]
    assert call(platforms, "POST", f"studies/{study_id}/transition/", {"action": "PUBLISH"})[0] == 200
    return study_id


def arrival(platforms: CrowdPlatforms, study_id: str, **who: str) -> dict[str, Any]:
    arrived: dict[str, Any] = platforms.control("POST", f"studies/{study_id}/arrivals", **who)
    return arrived


def handed_in(platforms: CrowdPlatforms, study_id: str, code: str = "DONE1") -> dict[str, Any]:
    submission_id = arrival(platforms, study_id)["submission_id"]
    done: dict[str, Any] = platforms.control("POST", f"submissions/{submission_id}/completion", code=code)
    return done


def mturk(platforms: CrowdPlatforms, key: str = AWS_ACCESS_KEY_ID) -> Any:
    return boto3.client(
        "mturk",
        endpoint_url=platforms.url,
        region_name="us-east-1",
        aws_access_key_id=key,
        aws_secret_access_key="any",
        config=Config(retries={"total_max_attempts": 1}),
    )


@pytest.mark.parametrize(
    ("rule", "changes", "field"),
    [
        ("a title is required", {"name": ""}, "name"),
        ("a reward is a number", {"reward": "1.50"}, "reward"),
        ("people get enough time", {"maximum_allowed_time": 20}, "maximum_allowed_time"),
        ("codes are unique", {"completion_codes": STUDY["completion_codes"][:1] * 2}, "completion_codes"),  # type: ignore[index]
        ("a screen-out pays less than the reward", {"reward": 20}, "completion_codes"),
        ("devices are known", {"device_compatibility": ["fridge"]}, "device_compatibility"),
    ],
)
def test_a_study_with_an_error_is_refused(
    platforms: CrowdPlatforms, rule: str, changes: dict[str, Any], field: str
) -> None:
    status, answer = call(platforms, "POST", "studies/", {**STUDY, **changes})
    assert (status, list(answer["detail"])) == (400, [field]), rule


def test_calls_without_the_token_are_refused(platforms: CrowdPlatforms) -> None:
    assert call(platforms, "GET", "studies/", token="wrong")[0] == 401


def test_places_only_grow_and_other_fields_stay_once_published(platforms: CrowdPlatforms) -> None:
    study_id = published(platforms)
    assert call(platforms, "PATCH", f"studies/{study_id}/", {"total_available_places": 2})[0] == 400
    assert call(platforms, "PATCH", f"studies/{study_id}/", {"reward": 900})[0] == 400
    assert call(platforms, "PATCH", f"studies/{study_id}/", {"total_available_places": 5})[0] == 200


def test_only_the_described_transitions_are_permitted(platforms: CrowdPlatforms) -> None:
    study_id = published(platforms)
    answers = [
        call(platforms, "POST", f"studies/{study_id}/transition/", {"action": action})[0]
        for action in ("PUBLISH", "PAUSE", "PAUSE", "START", "STOP", "START")
    ]
    assert answers == [400, 200, 400, 200, 200, 400]


def test_a_full_study_waits_for_review_and_completes(platforms: CrowdPlatforms) -> None:
    study_id = published(platforms, total_available_places=1)
    submission_id = handed_in(platforms, study_id)["submission_id"]
    assert call(platforms, "GET", f"studies/{study_id}/")[1]["status"] == "AWAITING REVIEW"
    call(platforms, "POST", f"submissions/{submission_id}/transition/", {"action": "APPROVE"})
    assert call(platforms, "GET", f"studies/{study_id}/")[1]["status"] == "COMPLETED"


def test_a_worker_returns_with_a_code_through_the_page(platforms: CrowdPlatforms) -> None:
    arrived = arrival(platforms, published(platforms))
    began = urllib3.request("GET", arrived["start_url"], redirect=False)
    assert parse_qs(urlsplit(began.headers["Location"]).query)["SESSION_ID"] == [arrived["submission_id"]]
    cookie = {"Cookie": began.headers["Set-Cookie"].partition(";")[0]}
    urllib3.request("GET", f"{platforms.url}/submissions/complete?cc=OUT1", headers=cookie)
    (submission,) = platforms.control("GET", "submissions")
    (payment,) = platforms.control("GET", "payments")
    assert (submission["status"], submission["entered_code"]) == ("SCREENED OUT", "OUT1")
    assert (payment["kind"], payment["amount_minor"]) == ("screen_out", 20)


def test_a_worker_who_comes_twice_has_one_submission(platforms: CrowdPlatforms) -> None:
    study_id = published(platforms)
    first = arrival(platforms, study_id, worker_id="5f0c9e0000000000000000aa")
    assert (
        arrival(platforms, study_id, worker_id=first["worker_id"])["submission_id"] == first["submission_id"]
    )


@pytest.mark.parametrize(
    ("message", "category", "wrong"),
    [
        ("x" * 99, "LOW_EFFORT", {"message"}),
        ("x" * 100, None, {"rejection_category"}),
        ("x" * 100, "BORING", {"rejection_category"}),
    ],
)
def test_a_rejection_needs_a_category_and_a_message(
    platforms: CrowdPlatforms, message: str, category: str | None, wrong: set[str]
) -> None:
    submission_id = handed_in(platforms, published(platforms))["submission_id"]
    body = {"action": "REJECT", "message": message, "rejection_category": category}
    status, answer = call(platforms, "POST", f"submissions/{submission_id}/transition/", body)
    assert (status, set(answer["error"]["detail"])) == (400, wrong)


def test_bonuses_show_later_and_are_paid_once_more_by_each_call(platforms: CrowdPlatforms) -> None:
    study_id = published(platforms)
    submission_id = handed_in(platforms, study_id)["submission_id"]
    body = {"study_id": study_id, "csv_bonuses": f"{submission_id},1.5"}
    bulk = call(platforms, "POST", "submissions/bonus-payments/", body)[1]
    assert call(platforms, "POST", f"bulk-bonus-payments/{bulk['id']}/pay/")[0] == 202
    shown = [call(platforms, "GET", f"submissions/{submission_id}/")[1]["bonus_payments"] for _ in range(2)]
    assert shown == [[], [150]]
    call(platforms, "POST", f"bulk-bonus-payments/{bulk['id']}/pay/")
    platforms.control("POST", "settlements")
    assert call(platforms, "GET", f"submissions/{submission_id}/")[1]["bonus_payments"] == [150, 150]


def test_bonuses_of_strangers_are_refused(platforms: CrowdPlatforms) -> None:
    body = {"study_id": published(platforms), "csv_bonuses": "5f0c9e0000000000000000aa,1.50"}
    assert call(platforms, "POST", "submissions/bonus-payments/", body)[0] == 400


def test_a_secure_address_is_signed(platforms: CrowdPlatforms) -> None:
    arrived = arrival(platforms, published(platforms, is_external_study_url_secure=True))
    keys = KeySet.import_key_set(
        urllib3.request("GET", f"{platforms.url}/.well-known/study/jwks.json").json()
    )
    (token,) = parse_qs(urlsplit(arrived["entry_url"]).query)["prolific_token"]
    claims = jwt.decode(token, keys, algorithms=["RS256"]).claims
    assert (claims["sub"], claims["exp"] - claims["iat"]) == (arrived["submission_id"], 120)
    assert claims["prolific"]["PROLIFIC_PID"] == arrived["worker_id"]


def test_a_fault_hits_the_matching_call_before_or_after_it_is_carried_out(platforms: CrowdPlatforms) -> None:
    platforms.fail("POST /api/v1/studies/", "before", 429, headers={"Retry-After": "7"})
    platforms.fail("POST /api/v1/studies/", "after", "drop")
    assert call(platforms, "POST", "studies/", STUDY)[0] == 429
    with pytest.raises(urllib3.exceptions.HTTPError):
        call(platforms, "POST", "studies/", STUDY)
    assert len(platforms.control("GET", "studies")) == 1


def test_a_call_that_hangs_is_let_go(platforms: CrowdPlatforms) -> None:
    platforms.fail("GET /api/v1/studies/", "before", "hang")
    with pytest.raises(urllib3.exceptions.HTTPError):
        urllib3.request("GET", f"{platforms.url}/api/v1/studies/", timeout=0.05, retries=False)
    platforms.control("DELETE", "faults")
    assert call(platforms, "GET", "studies/")[0] == 200


def test_webhooks_are_made_twice_and_in_the_wrong_order(platforms: CrowdPlatforms) -> None:
    handed_in(platforms, published(platforms))
    sent = platforms.control("POST", "webhooks", secret="s", times=2, reversed=True)
    assert [each["event_id"] for each in sent[::2]] == [each["event_id"] for each in sent[1::2]]
    events = [each["event_id"] for each in platforms.control("GET", "events")]
    assert [each["event_id"] for each in sent[::2]] == events[::-1]
    assert platforms.control("POST", "webhooks", secret="s") == []


def hit(platforms: CrowdPlatforms, **changes: Any) -> str:
    wanted: dict[str, Any] = {
        "Title": "Fool a model",
        "Description": "Write.",
        "Reward": "1.50",
        "MaxAssignments": 12,
        "LifetimeInSeconds": 3600,
        "AssignmentDurationInSeconds": 600,
        "Question": QUESTION,
        **changes,
    }
    hit_id: str = mturk(platforms).create_hit(**wanted)["HIT"]["HITId"]
    return hit_id


def refusal(call: Any, **arguments: Any) -> str:
    with pytest.raises(ClientError) as refused:
        call(**arguments)
    response: Any = refused.value.response
    return str(response.get("TurkErrorCode", response["Error"]["Code"]))


def test_a_hit_is_done_approved_and_rewarded(platforms: CrowdPlatforms) -> None:
    hit_id, client = hit(platforms), mturk(platforms)
    arrived = arrival(platforms, hit_id)
    values = parse_qs(urlsplit(arrived["entry_url"]).query)
    answer = {"assignmentId": values["assignmentId"][0], "code": "DONE1"}
    urllib3.request("POST", f"{values['turkSubmitTo'][0]}/mturk/externalSubmit", fields=answer)
    (assignment,) = client.list_assignments_for_hit(HITId=hit_id)["Assignments"]
    client.approve_assignment(AssignmentId=assignment["AssignmentId"])
    again = refusal(client.approve_assignment, AssignmentId=assignment["AssignmentId"])
    (payment,) = platforms.control("GET", "payments")
    assert (again, payment["amount_minor"]) == ("AWS.MechanicalTurk.InvalidAssignmentState", 150)


def test_a_token_pays_a_bonus_once_for_a_day(platforms: CrowdPlatforms) -> None:
    hit_id, client = hit(platforms), mturk(platforms)
    done = handed_in(platforms, hit_id)
    bonus: dict[str, Any] = {
        "WorkerId": done["worker_id"],
        "AssignmentId": done["submission_id"],
        "BonusAmount": "0.30",
    }
    bonus |= {"Reason": "Thanks", "UniqueRequestToken": "token-1"}
    client.send_bonus(**bonus)
    assert refusal(client.send_bonus, **bonus) == "AWS.MechanicalTurk.DuplicateRequest"
    assert client.list_bonus_payments(HITId=hit_id)["NumResults"] == 1
    platforms.control("POST", "clock", seconds=24 * 3600 + 1)
    client.send_bonus(**bonus)
    assert client.list_bonus_payments(HITId=hit_id)["NumResults"] == 2


def test_mechanical_turk_refuses_what_it_does_not_know_or_permit(platforms: CrowdPlatforms) -> None:
    small, client = hit(platforms, MaxAssignments=9), mturk(platforms)
    insecure = QUESTION.replace("https://x", "http://x")
    more = {"HITId": small, "NumberOfAdditionalAssignments": 3}
    accepted = arrival(platforms, small)["submission_id"]
    turk = "AWS.MechanicalTurk."
    assert refusal(client.get_hit, HITId="3UNKNOWN") == f"{turk}HITDoesNotExist"
    assert refusal(client.get_assignment, AssignmentId=accepted) == f"{turk}InvalidAssignmentState"
    assert refusal(client.create_additional_assignments_for_hit, **more).endswith("AssignmentsIncrease")
    assert refusal(mturk(platforms, "ANOTHER").get_hit, HITId=small) == "UnrecognizedClientException"
    with pytest.raises(ClientError):
        hit(platforms, Question=insecure)


def test_an_expired_hit_lets_nobody_in(platforms: CrowdPlatforms) -> None:
    hit_id = hit(platforms)
    mturk(platforms).update_expiration_for_hit(HITId=hit_id, ExpireAt=0)
    with pytest.raises(AssertionError, match="409"):
        arrival(platforms, hit_id)
