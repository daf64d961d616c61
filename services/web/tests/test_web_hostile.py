"""Hostile input of every kind gets a page with a 4xx, never a 500, and no script of it runs."""

from urllib.parse import urlencode

import pytest
from web_fake_models import SUBMISSION_ID
from web_fake_platform import FakePlatform
from web_visiting import SAME_ORIGIN, Visitor
from werkzeug.test import TestResponse

EXAMPLE = "0198c0de-0000-7000-8000-000000000000"
SUBMISSION = f"/submissions/{SUBMISSION_ID}"
FORMS = {
    "/sign-in": ["user_name", "password", "next", "resume"],
    "/sign-up": ["user_name", "email", "password", "next"],
    "/preferences": ["theme", "pace", "next"],
    "/account/tokens": ["name"],
    "/sign-in/code": ["challenge", "code", "next", "resume"],
    "/account/second-factor": ["current_password"],
    "/account/second-factor/confirmation": ["code", "secret", "uri"],
    "/account/second-factor/recovery-codes": ["code"],
    "/account/second-factor/removal": ["current_password", "code"],
    "/rounds/{round}/create": [
        "context_id",
        "key",
        "input.text",
        "input.label",
        "hint_shown",
        "action",
        "resumed",
        "perturbation_of",
    ],
    "/rounds/{round}/create/notes": ["context_id", "input.text"],
    "/rounds/{round}/create/flag": ["context_id", "reason"],
    "/rounds/{round}/validate": [
        "lease_id",
        "kind",
        "choice",
        "key",
        "reason",
        "shown",
        "vote.value",
        "vote.value.start",
    ],
    "/rounds/{round}/validate/judgement": ["vote_id", "agrees", "explanation"],
    "/rounds/{round}/validate/correction": ["vote_id", "choice", "explanation", "vote.value"],
    "/rounds/{round}/validate/undo": ["vote_id"],
    "/rounds/{round}/validate/back": ["vote_id", "kind", "choice", "reason", "shown", "vote.value"],
    "/rounds/{round}/validate/renewal": ["lease_id"],
    "/rounds/{round}/validate/pause-appeal": ["reason"],
    "/rounds/{round}/validate/skip": ["lease_id"],
    f"/examples/{EXAMPLE}/retraction": ["key", "back"],
    f"/examples/{EXAMPLE}/appeal": ["reason", "back", "cursor"],
    f"/examples/{EXAMPLE}/explanations": ["label", "model", "back"],
    f"/examples/{EXAMPLE}/inspections": ["target", "label", "n_steps"],
    f"/examples/{EXAMPLE}/metadata": ["metadata.group", "back"],
    f"/examples/{EXAMPLE}/reports": ["reason"],
    f"/examples/{EXAMPLE}/words": ["target"],
    f"/examples/{EXAMPLE}/hidden": ["reason"],
    f"/examples/{EXAMPLE}/shown": ["nothing"],
    f"/examples/{EXAMPLE}/decision": ["target", "wrong.target", "back"],
    "/tasks/sentiment/sandbox": ["target", "context.prompt", "input.text", "label", "n_steps", "action"],
    "/tasks/sentiment/content-notice": ["next"],
    "/models/submit": ["task", "model", "file_name", "size", "digest"],
    f"{SUBMISSION}/parts": ["numbers"],
    f"{SUBMISSION}/completion": ["nothing"],
    f"{SUBMISSION}/runs": ["step"],
    f"{SUBMISSION}/card": [
        *("text", "licence", "contact", "languages"),
        *("parameters", "trained_on", "paper"),
    ],
    f"{SUBMISSION}/publication": ["anonymous"],
    f"{SUBMISSION}/withdrawal": ["reason"],
    f"{SUBMISSION}/deletion": ["reason"],
    f"/work/{EXAMPLE}": ["nothing"],
    f"/work/assignments/{EXAMPLE}/completion": ["nothing"],
    f"/work/assignments/{EXAMPLE}/return": ["nothing"],
}
ROUND = "/tasks/sentiment/rounds/3"
CAMPAIGN = "/tasks/sentiment/campaigns/{campaign}"
PLAN = [
    *("title", "work", "platform", "units", "places", "reward", "bonus", "screen_out", "currency", "minutes"),
    *("languages", "qualifications", "proposed", "key"),
]
OWNERS_FORMS = {
    f"{ROUND}/state/closed": ["reason"],
    f"{ROUND}/targets": ["target", "reason"],
    f"{ROUND}/next": ["title", "target"],
    f"{ROUND}/release": [
        "dev",
        "test",
        "seed",
        "licence",
        "accept_unresolved",
        "explanations",
        "description",
    ],
    f"{ROUND}/work/requeue": ["example_id", "reason"],
    f"{ROUND}/work/{{case}}": ["choice", "reason", "next", "decision.value", "decision.value.start"],
    f"{ROUND}/examples/{{case}}/abstention": ["text"],
    "/tasks/sentiment/validators/{case}": ["state", "reason"],
    "/tasks/sentiment/gold": ["context.prompt", "input.text", "check.answer"],
    "/tasks/sentiment/gold/refresh": ["round_id"],
    f"/tasks/sentiment/reports/{EXAMPLE}": ["decision", "reason"],
    f"{ROUND}/campaigns/new": PLAN,
    f"{ROUND}/campaigns/estimate": PLAN,
    f"{CAMPAIGN}/edit": PLAN,
    f"{CAMPAIGN}/state/paused": ["nothing"],
    f"{CAMPAIGN}/places": ["places"],
    f"{CAMPAIGN}/top-up": ["amount"],
    f"{CAMPAIGN}/approvals": ["state"],
    f"{CAMPAIGN}/pay": ["key", "total_minor"],
    f"{CAMPAIGN}/people/{{assignment}}/rejection": ["state", "category", "reason"],
    f"{SUBMISSION}/decision": ["approve", "reason"],
    f"{SUBMISSION}/retirement": ["reason"],
}
OWNERS_QUERIES = {
    "/rounds": ["cursor"],
    "/examples": ["task", "model", "order", "round", "dataset", "cursor"],
    "/tasks/sentiment/examples": ["model", "order", "round", "dataset", "cursor"],
    "/tasks/sentiment/reports": ["cursor", "hidden"],
    f"{ROUND}/standing": ["by", "view"],
    f"{ROUND}/campaigns/new": PLAN,
    f"{CAMPAIGN}/edit": PLAN,
    f"{CAMPAIGN}/people": ["state", "cursor"],
    f"{CAMPAIGN}/payments": ["cursor"],
    f"{CAMPAIGN}/fair-play": [],
    f"{CAMPAIGN}/ledger": ["cursor"],
    f"{ROUND}/release": ["dev", "test", "seed", "licence", "description"],
    f"{ROUND}/work": ["kind", "claimed", "agreed", "disagreement"],
    f"{ROUND}/work/requeue": ["example_id"],
    f"{ROUND}/work/{{case}}": ["kind", "claimed", "cursor"],
    f"{ROUND}/examples": ["text", "verdict", "became", "tag", "author_id", "disagreement"],
    f"{ROUND}/examples/{{case}}": ["text", "tag", "cursor"],
    "/tasks/sentiment/validators": ["round"],
    "/tasks/sentiment/audit": ["round_id"],
    "/tasks/sentiment/rounds": ["until"],
    "/models": ["task", "page"],
    "/models/submit": ["task", "model"],
    f"{SUBMISSION}/entry": ["path"],
}
VALUES = {
    "nothing": "",
    "line break": "a\r\nX-Evil: 1",
    "nul": "a\x00b",
    "no Latin": "ключ 🙂",
    "script": "<script>alert(1)</script>",
    "path": "../../../../etc/passwd",
    "long": "x" * 3000,
    "many fields": "&".join(f"a{number}=1" for number in range(99)),
    "more digits than numbers have": "1" * 5000,
}


@pytest.fixture(autouse=True)
def strict(fake: FakePlatform) -> None:
    """Have what is sent on refused as the services would."""
    fake.refuses_bad_input = True


@pytest.mark.parametrize("path", FORMS)
def test_no_form_breaks_a_page(path: str, ada: Visitor, fake: FakePlatform) -> None:
    for name, value in VALUES.items():
        answer = ada.post(path.format(round=fake.loop.round_id), **dict.fromkeys(FORMS[path], value))
        assert_harmless(answer, name)


@pytest.mark.parametrize("path", OWNERS_FORMS)
def test_no_form_of_owners_breaks_a_page(path: str, visitor: Visitor, fake: FakePlatform) -> None:
    visitor.sign_in("olga")
    case = next(iter(fake.owners.cases))
    fake.owners.validators[0]["voter_id"] = case
    campaign = fake.campaigns.add()
    assignment = fake.campaigns.assignments[campaign][0]["assignment_id"]
    target = path.format(case=case, campaign=campaign, assignment=assignment)
    for name, value in VALUES.items():
        answer = visitor.post(target, **dict.fromkeys(OWNERS_FORMS[path], value))
        assert_harmless(answer, name)


@pytest.mark.parametrize("path", OWNERS_QUERIES)
def test_no_query_of_owners_breaks_a_page(path: str, visitor: Visitor, fake: FakePlatform) -> None:
    visitor.sign_in("olga")
    fake.owners.standings.clear()
    target = path.format(case=next(iter(fake.owners.cases)), campaign=fake.campaigns.add())
    for name, value in VALUES.items():
        query = urlencode(dict.fromkeys(OWNERS_QUERIES[path], value))
        answer = visitor.get(f"{target}?{query}")
        assert_harmless(answer, name)


def assert_harmless(answer: TestResponse, value: str) -> None:
    """Fail where a value, by its name, broke the page or came back as markup."""
    assert answer.status_code < 500, f"{value}: {answer.text}"
    assert "<script>alert" not in answer.text, value


def test_no_parameters_of_an_entry_break_its_page(visitor: Visitor, fake: FakePlatform) -> None:
    campaign_id = fake.work.offer()
    for name, value in VALUES.items():
        for query in (urlencode({"PROLIFIC_PID": value}), urlencode({value[:200]: "w1"}), "a=%ff&a=1&=&&"):
            assert_harmless(visitor.get(f"/work/{campaign_id}?{query}"), name)
            assert_harmless(visitor.post(f"/work/{campaign_id}?{query}"), name)


@pytest.mark.parametrize("path", FORMS)
def test_bytes_that_are_no_text_are_refused(path: str, ada: Visitor, fake: FakePlatform) -> None:
    body = b"&".join(name.encode() + b"=%ff%fe%00" for name in FORMS[path])
    kind = "application/x-www-form-urlencoded"
    target = path.format(round=fake.loop.round_id)
    answer = ada.client.post(target, data=body, headers=SAME_ORIGIN, content_type=kind)
    assert answer.status_code == 400
    assert "not valid UTF-8" in answer.text


@pytest.mark.parametrize(
    "cookie",
    ["dynabench_access", "dynabench_refresh", "dynabench_person", "dynabench_theme", "dynabench_pace"],
)
def test_no_cookie_breaks_a_page(cookie: str, visitor: Visitor) -> None:
    for value in ("\\012x", "a b", "ключ", '"a\\015\\012b"', "x" * 4000):
        assert visitor.get("/account", Cookie=f"{cookie}={value}").status_code == 303, value


@pytest.mark.parametrize(
    "path",
    ["/", "/rounds/{round}/create", "/rounds/{round}/tries", "/sign-in", "/rounds/{round}/validate/back"],
)
def test_no_query_breaks_a_page(path: str, ada: Visitor, fake: FakePlatform) -> None:
    for query in (
        "vote=<b>",
        "example=x",
        "example=../../x",
        "cursor=x",
        "notice=x",
        "next=%0d%0aX: 1",
        "hint=%ff",
    ):
        assert ada.get(f"{path.format(round=fake.loop.round_id)}?{query}").status_code < 500, query
