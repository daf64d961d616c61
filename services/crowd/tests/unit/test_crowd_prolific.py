"""Prolific's adapter against scripted answers: what it asks, and what it makes of answers and failures."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from crowd.adapters.platforms import build_platforms
from crowd.adapters.platforms.prolific import Prolific
from crowd.domain.platforms import (
    CodeAction,
    Entry,
    EntryOver,
    EntryRefused,
    OutcomeUnknown,
    Payment,
    Refused,
    RejectionCategory,
    Study,
    StudyUnknown,
    Submission,
    SubmissionState,
    Unavailable,
)
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from services.crowd.tests.unit.scripted_api import DROP, ScriptedApi

PERSON, STUDY, SESSION = "60ffe5c8371090c7041d43f8", "60ffe5c8371090c7041d4300", "60ffe5c8371090c7041d4399"
IDS = {"PROLIFIC_PID": PERSON, "STUDY_ID": STUDY, "SESSION_ID": SESSION}
SECRET = b"hook secret"
STUDIES, SUBMISSIONS = "/api/v1/studies/", "/api/v1/submissions/"
ONE_STUDY, ONE_SUBMISSION = f"{STUDIES}{STUDY}/", f"{SUBMISSIONS}{SESSION}/"
TRANSITION = f"{ONE_STUDY}transition/"
OPEN = {"id": SESSION, "participant": PERSON, "study_id": STUDY, "status": "ACTIVE"}
LONG_REASON = (
    "All five tries are copies of the example in the instructions, letter by letter, without any changes."
)
CAMPAIGN = Study(
    campaign_id="0197-campaign",
    title="Fool a model",
    description="Write sentences.",
    entry_url="https://dynabench.example/campaigns/0197/start",
    reward_minor=150,
    screen_out_minor=20,
    currency="GBP",
    places=12,
    minutes=15,
    typical_minutes=9,
    languages=("en",),
    qualifications=("6523f0c0aa11bb22cc33dd44", "handedness:0,2"),
    codes={"DONE": CodeAction.REVIEW, "OUT": CodeAction.SCREEN_OUT, "BACK": CodeAction.RETURN},
)
PAYMENTS = [
    Payment("p1", STUDY, SESSION, PERSON, 30, "GBP", "Thanks"),
    Payment("p2", STUDY, "60ffe5c8371090c7041d4398", PERSON, 1205, "GBP", "Thanks"),
]


@pytest.fixture
def api() -> Iterator[ScriptedApi]:
    server = ScriptedApi()
    yield server
    server.close()


def connected(api_url: str, folder: Path, **more: Any) -> Prolific:
    (folder / "token").write_text("secret-token\n")
    (folder / "hooks").write_text(SECRET.decode())
    listed = {
        "name": "prolific",
        "kind": "prolific",
        "title": "Prolific",
        "token_file": str(folder / "token"),
        "webhook_secret_file": str(folder / "hooks"),
        "currency": "GBP",
        "api_url": api_url,
        **more,
    }
    platform = build_platforms(json.dumps([listed]))["prolific"]
    assert isinstance(platform, Prolific)
    return platform


@pytest.fixture
def prolific(api: ScriptedApi, tmp_path: Path) -> Prolific:
    return connected(api.url, tmp_path)


def test_a_study_has_codes_with_their_actions_filters_and_placeholders(
    api: ScriptedApi, prolific: Prolific
) -> None:
    api.on("POST", STUDIES, (201, {"id": STUDY}))
    assert prolific.create_study(CAMPAIGN) == STUDY
    asked = api.asked[0]
    assert asked.headers["Authorization"] == "Token secret-token"
    assert asked.body["internal_name"] == "0197-campaign"
    assert asked.body["external_study_url"] == (
        "https://dynabench.example/campaigns/0197/start"
        "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
    assert asked.body["maximum_allowed_time"] == 26  # 2 + 2 · 9 + 2 · √9, more than the campaign's own limit
    assert asked.body["completion_codes"] == [
        {"code": "DONE", "code_type": "COMPLETED", "actions": [{"action": "MANUALLY_REVIEW"}]},
        {
            "code": "OUT",
            "code_type": "FIXED_SCREENOUT",
            "actions": [{"action": "FIXED_SCREEN_OUT_PAYMENT", "fixed_screen_out_reward": 20, "slots": 12}],
        },
        {
            "code": "BACK",
            "code_type": "OTHER",
            "actions": [{"action": "REQUEST_RETURN", "return_reason": "The work was not finished."}],
        },
    ]
    assert asked.body["filters"] == [
        {"filter_id": "participant_group_allowlist", "selected_values": ["6523f0c0aa11bb22cc33dd44"]},
        {"filter_id": "handedness", "selected_values": ["0", "2"]},
    ]


def test_a_study_is_found_by_its_campaign_also_on_a_later_page(api: ScriptedApi, tmp_path: Path) -> None:
    first = [{"id": str(number), "internal_name": f"other {number}"} for number in range(100)]
    listing = "/api/v1/projects/p1/studies/"
    api.on(
        "GET",
        listing,
        (200, {"results": first}),
        (200, {"results": [{"id": STUDY, "internal_name": "0197-campaign"}]}),
    )
    assert connected(api.url, tmp_path, project="p1").find_study("0197-campaign") == STUDY
    assert [each.path.partition("page=")[2] for each in api.asked] == ["1&page_size=100", "2&page_size=100"]


def test_a_listing_without_pages_is_read_once(api: ScriptedApi, prolific: Prolific) -> None:
    whole = [{"id": str(number), "internal_name": None} for number in range(130)]
    api.on("GET", STUDIES, (200, {"results": whole}))
    assert prolific.find_study("0197-campaign") is None
    assert len(api.asked) == 2


@pytest.mark.parametrize(
    ("rule", "wish", "status", "action"),
    [
        ("a draft is published", "publish", "UNPUBLISHED", "PUBLISH"),
        ("a paused study is started", "publish", "PAUSED", "START"),
        ("an active study needs nothing", "publish", "ACTIVE", None),
        ("an active study is paused", "pause", "ACTIVE", "PAUSE"),
        ("a paused study needs nothing", "pause", "PAUSED", None),
        ("an active study is stopped", "stop", "ACTIVE", "STOP"),
        ("a paused study is stopped", "stop", "PAUSED", "STOP"),
        ("an ended study needs nothing", "stop", "COMPLETED", None),
    ],
)
def test_a_transition_fits_the_status(
    api: ScriptedApi, prolific: Prolific, rule: str, wish: str, status: str, action: str | None
) -> None:
    api.on("GET", ONE_STUDY, (200, {"status": status, "total_available_places": 1}))
    api.on("POST", TRANSITION, (200, {}))
    getattr(prolific, wish)(STUDY)
    wanted = [] if action is None else [("POST", TRANSITION, {"action": action})]
    assert api.changes() == wanted, rule


def test_an_ended_study_is_not_published_and_one_in_between_must_wait(
    api: ScriptedApi, prolific: Prolific
) -> None:
    api.on("GET", ONE_STUDY, (200, {"status": "COMPLETED", "total_available_places": 1}))
    with pytest.raises(Refused, match="has ended"):
        prolific.publish(STUDY)
    api.on("GET", ONE_STUDY, (200, {"status": "PUBLISHING", "total_available_places": 1}))
    with pytest.raises(Unavailable):
        prolific.pause(STUDY)


def test_places_only_grow(api: ScriptedApi, prolific: Prolific) -> None:
    api.on("GET", ONE_STUDY, (200, {"status": "ACTIVE", "total_available_places": 12}))
    api.on("PATCH", ONE_STUDY, (200, {}))
    prolific.set_places(STUDY, 12)
    prolific.set_places(STUDY, 20)
    with pytest.raises(Refused, match="12 places"):
        prolific.set_places(STUDY, 11)
    assert api.changes() == [("PATCH", ONE_STUDY, {"total_available_places": 20})]


def test_the_cost_is_prolifics_own(api: ScriptedApi, prolific: Prolific) -> None:
    api.on("POST", "/api/v1/study-cost-calculator/", (200, {"total_cost": 2399.5}))
    assert prolific.cost_minor(150, 12, "GBP") == 2400
    assert api.asked[0].body == {"reward": 150, "total_available_places": 12}


def test_an_entry_is_confirmed_by_prolific(api: ScriptedApi, prolific: Prolific) -> None:
    api.on("GET", ONE_SUBMISSION, (200, OPEN))
    assert prolific.check_entry(IDS) == Entry(STUDY, PERSON, SESSION, is_proved=True)


@pytest.mark.parametrize(
    ("rule", "changed", "status", "answer"),
    [
        ("without ids", {"SESSION_ID": ""}, 200, OPEN),
        ("an id that leads to another path", {"SESSION_ID": "../users/me"}, 200, OPEN),
        ("an unknown submission", {}, 404, {}),
        ("a malformed id", {}, 400, {}),
        ("another person's submission", {"PROLIFIC_PID": "0" * 24}, 200, OPEN),
        ("another study's submission", {"STUDY_ID": "0" * 24}, 200, OPEN),
        ("a returned submission", {}, 200, {**OPEN, "status": "RETURNED"}),
        ("a submission that timed out", {}, 200, {**OPEN, "status": "TIMED-OUT"}),
        ("a submission handed in", {}, 200, {**OPEN, "status": "AWAITING REVIEW"}),
    ],
)
def test_an_entry_is_refused(
    api: ScriptedApi, prolific: Prolific, rule: str, changed: dict[str, str], status: int, answer: Any
) -> None:
    api.on("GET", ONE_SUBMISSION, (status, answer))
    with pytest.raises(EntryRefused) as refusal:
        prolific.check_entry({**IDS, **changed})
    assert PERSON not in str(refusal.value), rule


def test_an_entry_waits_while_prolific_does_not_answer(api: ScriptedApi, prolific: Prolific) -> None:
    api.on("GET", ONE_SUBMISSION, (500, {}))
    with pytest.raises(Unavailable):
        prolific.check_entry(IDS)


KEY = RSAKey.generate_key(2048, {"kid": "k1", "use": "sig"})


def signed(key: RSAKey = KEY, lifetime: int = 120, **claims: Any) -> str:
    now = int(time.time())
    payload = {
        "iss": "https://www.prolific.com",
        "iat": now,
        "exp": now + lifetime,
        "prolific": IDS,
        **claims,
    }
    return jwt.encode({"alg": "RS256", "kid": key.kid, "typ": "JWT"}, payload, key)


HEADER_WITH_NUMBER = base64.urlsafe_b64encode(b'{"alg":"RS256","crit":5}').decode().rstrip("=")


@pytest.mark.parametrize(
    ("rule", "token", "is_fine"),
    [
        ("signed a moment ago", signed(), True),
        ("read for ten minutes", signed(lifetime=-600), True),
        ("signed long ago", signed(lifetime=-7200), False),
        ("signed by somebody else", signed(RSAKey.generate_key(2048, {"kid": "k1"})), False),
        ("signed for another person", signed(prolific={**IDS, "PROLIFIC_PID": "0" * 24}), False),
        ("from another issuer", signed(iss="https://example.com"), False),
        ("no token at all", "letters", False),
        ("with a header of another type", f"{HEADER_WITH_NUMBER}.e30.eHg", False),
        ("without signature", None, False),
    ],
)
def test_a_signed_link_needs_prolifics_signature(
    api: ScriptedApi, tmp_path: Path, rule: str, token: str | None, is_fine: bool
) -> None:
    api.on("GET", ONE_SUBMISSION, (200, OPEN))
    api.on("GET", "/.well-known/study/jwks.json", (200, KeySet([KEY]).as_dict(private=False)))
    prolific = connected(api.url, tmp_path, signed_links=True)
    parameters = IDS if token is None else {**IDS, "prolific_token": token}
    if is_fine:
        assert prolific.check_entry(parameters).is_proved, rule
    else:
        with pytest.raises(EntryRefused):
            prolific.check_entry(parameters)


@pytest.mark.parametrize(
    ("token", "status"),
    [
        (signed(), "REJECTED"),
        (signed(), "APPROVED"),
        (signed(lifetime=-7200), "ACTIVE"),
        (signed(lifetime=-7200), "REJECTED"),
    ],
)
def test_a_genuine_entry_that_is_over_still_names_its_person(
    api: ScriptedApi, tmp_path: Path, token: str, status: str
) -> None:
    api.on("GET", ONE_SUBMISSION, (200, {**OPEN, "status": status}))
    api.on("GET", "/.well-known/study/jwks.json", (200, KeySet([KEY]).as_dict(private=False)))
    prolific = connected(api.url, tmp_path, signed_links=True)
    with pytest.raises(EntryOver) as over:
        prolific.check_entry({**IDS, "prolific_token": token})
    assert over.value.entry == Entry(STUDY, PERSON, SESSION, is_proved=True)


def test_submissions_have_the_states_of_the_protocol(api: ScriptedApi, prolific: Prolific) -> None:
    statuses = ["RESERVED", "ACTIVE", "AWAITING REVIEW", "APPROVED", "REJECTED", "RETURNED", "TIMED-OUT"]
    statuses += ["SCREENED OUT", "PROCESSING"]
    listed = [{"id": status, "participant_id": PERSON, "status": status} for status in statuses]
    api.on("GET", SUBMISSIONS, (200, {"results": listed}))
    assert [(each.submission_id, each.state.value) for each in prolific.submissions(STUDY)] == [
        ("RESERVED", "working"),
        ("ACTIVE", "working"),
        ("AWAITING REVIEW", "submitted"),
        ("APPROVED", "approved"),
        ("REJECTED", "rejected"),
        ("RETURNED", "returned"),
        ("TIMED-OUT", "timed_out"),
        ("SCREENED OUT", "screened_out"),
    ]


def test_pages_are_read_until_the_count_is_reached(api: ScriptedApi, prolific: Prolific) -> None:
    pages = [
        (200, {"results": [{"id": name, "participant_id": "p", "status": "ACTIVE"}], "meta": {"count": 2}})
        for name in ("a", "b")
    ]
    api.on("GET", SUBMISSIONS, *pages)
    assert prolific.submissions(STUDY) == (
        Submission("a", "p", SubmissionState.WORKING),
        Submission("b", "p", SubmissionState.WORKING),
    )


def test_a_thousand_submissions_are_approved_in_one_call(api: ScriptedApi, prolific: Prolific) -> None:
    ids = [f"s{number}" for number in range(1_001)]
    api.on("POST", f"{SUBMISSIONS}bulk-approve/", (200, {}))
    prolific.approve(STUDY, ids)
    parts = [{"submission_ids": part} for part in (ids[:1_000], ids[1_000:])]
    assert api.changes() == [("POST", f"{SUBMISSIONS}bulk-approve/", part) for part in parts]


def test_a_study_that_is_gone_is_unknown(api: ScriptedApi, prolific: Prolific) -> None:
    api.on("GET", f"{STUDIES}{STUDY}/", (404, {"error": {"detail": "Not found."}}))
    for change in (prolific.publish, prolific.pause, prolific.stop, prolific.is_paused):
        with pytest.raises(StudyUnknown, match="no such study"):
            change(STUDY)


def test_a_rejection_has_a_category_and_a_long_reason(api: ScriptedApi, prolific: Prolific) -> None:
    path = f"{ONE_SUBMISSION}transition/"
    api.on("POST", path, (200, {}))
    with pytest.raises(Refused, match="at least 100"):
        prolific.reject(STUDY, SESSION, RejectionCategory.TOO_QUICK, "Too quick.")
    prolific.reject(STUDY, SESSION, RejectionCategory.TOO_QUICK, LONG_REASON)
    assert api.changes() == [
        ("POST", path, {"action": "REJECT", "rejection_category": "TOO_QUICKLY", "message": LONG_REASON})
    ]


def test_bonuses_are_set_up_in_units_of_the_currency_and_paid_by_id(
    api: ScriptedApi, prolific: Prolific
) -> None:
    api.on("POST", f"{SUBMISSIONS}bonus-payments/", (201, {"id": "bulk1", "total_amount": 1600}))
    api.on("POST", "/api/v1/bulk-bonus-payments/bulk1/pay/", (202, b'"accepted"'))
    assert prolific.prepare(PAYMENTS) == "bulk1"
    prolific.pay("bulk1", PAYMENTS)
    lines = f"{SESSION},0.30\n60ffe5c8371090c7041d4398,12.05"
    assert api.changes() == [
        ("POST", f"{SUBMISSIONS}bonus-payments/", {"study_id": STUDY, "csv_bonuses": lines}),
        ("POST", "/api/v1/bulk-bonus-payments/bulk1/pay/", None),
    ]


def test_paid_bonuses_are_read_from_the_submissions(api: ScriptedApi, prolific: Prolific) -> None:
    api.on("GET", ONE_SUBMISSION, (200, {**OPEN, "bonus_payments": [30.0, 125]}))
    assert prolific.bonuses(STUDY, [SESSION, "gone"]) == {SESSION: [30, 125], "gone": []}


@pytest.mark.parametrize(
    ("rule", "answer", "raised"),
    [
        ("no answer after the request was sent", (DROP, None), OutcomeUnknown),
        ("an error of the server", (500, {}), OutcomeUnknown),
        ("an error of a proxy", (502, b"<html>"), OutcomeUnknown),
        ("asked to wait", (429, {}), Unavailable),
        ("overloaded, as a proxy may say after paying", (503, {}), OutcomeUnknown),
        ("refused", (400, {"error": {"title": "Bad", "detail": "Not enough funds"}}), Refused),
        ("a wrong token", (401, {}), Refused),
    ],
)
def test_a_payment_that_fails_is_never_repeated(
    api: ScriptedApi, prolific: Prolific, rule: str, answer: tuple[int, Any], raised: type[Exception]
) -> None:
    api.on("POST", "/api/v1/bulk-bonus-payments/bulk1/pay/", answer)
    with pytest.raises(raised):
        prolific.pay("bulk1", PAYMENTS)
    assert len(api.asked) == 1, rule


def test_a_server_that_is_not_there_was_not_asked(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        connected("http://127.0.0.1:9", tmp_path).pay("bulk1", PAYMENTS)


def test_an_overloaded_server_has_done_nothing(api: ScriptedApi, prolific: Prolific) -> None:
    api.on("POST", STUDIES, (503, {}))
    with pytest.raises(Unavailable):
        prolific.create_study(CAMPAIGN)


def test_a_created_study_without_an_id_may_exist(api: ScriptedApi, prolific: Prolific) -> None:
    api.on("POST", STUDIES, (201, b"<html>"))
    with pytest.raises(OutcomeUnknown):
        prolific.create_study(CAMPAIGN)


def test_a_read_is_repeated_once(api: ScriptedApi, prolific: Prolific) -> None:
    api.on("GET", ONE_SUBMISSION, (DROP, None), (200, OPEN))
    assert prolific.check_entry(IDS).worker_id == PERSON


def test_a_reason_names_no_person(api: ScriptedApi, prolific: Prolific) -> None:
    detail = {"csv_bonuses": [f"{PERSON} did not take part", "Check the ids."]}
    api.on("POST", f"{SUBMISSIONS}bonus-payments/", (400, {"error": {"title": "Bad", "detail": detail}}))
    with pytest.raises(Refused) as refusal:
        prolific.prepare(PAYMENTS)
    assert str(refusal.value) == "csv_bonuses: … did not take part Check the ids."


def hook(body: bytes, secret: bytes = SECRET, age: int = 0) -> dict[str, str]:
    at = str(int(time.time()) - age)
    digest = hmac.new(secret, at.encode() + body, hashlib.sha256).digest()
    return {
        "X-Prolific-Request-Timestamp": at,
        "X-Prolific-Request-Signature": base64.b64encode(digest).decode(),
    }


SUBMITTED = json.dumps(
    {"event_type": "submission.status.change", "resource_id": SESSION, "participant_id": PERSON}
).encode()


def test_a_webhook_names_its_study_however_often_it_comes(api: ScriptedApi, prolific: Prolific) -> None:
    api.on("GET", ONE_SUBMISSION, (200, OPEN))
    headers = hook(SUBMITTED)
    assert [prolific.read_notice(headers, SUBMITTED) for _ in range(14)] == [STUDY] * 14
    of_study = json.dumps({"event_type": "study.status.change", "resource_id": STUDY}).encode()
    assert prolific.read_notice(hook(of_study, age=200), of_study) == STUDY


@pytest.mark.parametrize(
    ("rule", "body"),
    [
        ("an unknown submission", SUBMITTED),
        ("an unknown event", b'{"event_type": "workspace.changed", "resource_id": "x"}'),
        ("no JSON", b"text"),
        ("another JSON", b"[]"),
        ("a resource that leads to another path", b'{"event_type": "submission.x", "resource_id": "../me"}'),
    ],
)
def test_a_webhook_about_nothing_known_is_ignored(prolific: Prolific, rule: str, body: bytes) -> None:
    assert prolific.read_notice(hook(body), body) is None, rule


@pytest.mark.parametrize(
    ("rule", "headers"),
    [
        ("signed with another secret", hook(SUBMITTED, secret=b"other")),
        ("signed for another body", hook(b"{}")),
        ("signed six minutes ago", hook(SUBMITTED, age=360)),
        ("signed for the future", hook(SUBMITTED, age=-3_600)),
        ("unsigned", {}),
        ("with letters for a time", {**hook(SUBMITTED), "X-Prolific-Request-Timestamp": "now"}),
    ],
)
def test_a_forged_webhook_is_refused(prolific: Prolific, rule: str, headers: dict[str, str]) -> None:
    with pytest.raises(EntryRefused):
        prolific.read_notice(headers, SUBMITTED)


def test_addresses_lead_to_prolifics_app(prolific: Prolific, tmp_path: Path) -> None:
    assert prolific.back_url(STUDY, SESSION, "A B&C", {}) == (
        "https://app.prolific.com/submissions/complete?cc=A+B%26C"
    )
    assert prolific.study_url(STUDY) == f"https://app.prolific.com/researcher/studies/{STUDY}"
    assert prolific.is_test
    assert not connected("https://api.prolific.com", tmp_path).is_test
