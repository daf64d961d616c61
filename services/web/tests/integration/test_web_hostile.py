"""Whatever is sent, the answer is a page with a 4xx, never a 500, and nothing of it runs."""

import pytest
from web_fake_platform import FakePlatform
from web_visiting import SAME_ORIGIN, Visitor

EXAMPLE = "0198c0de-0000-7000-8000-000000000000"
FORMS = {
    "/sign-in": ["user_name", "password", "next", "resume_path", "resume_form"],
    "/sign-up": ["user_name", "email", "password", "next"],
    "/preferences": ["theme", "next"],
    "/account/tokens": ["name"],
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
        "advance",
        "shown",
        "vote.value",
        "vote.value.start",
    ],
    "/rounds/{round}/validate/judgement": ["vote_id", "agrees"],
    "/rounds/{round}/validate/skip": ["lease_id", "advance"],
    "/rounds/{round}/state": ["state"],
    f"/examples/{EXAMPLE}/retraction": ["key", "back"],
    f"/examples/{EXAMPLE}/explanations": ["label", "model", "back"],
    f"/examples/{EXAMPLE}/inspections": ["target", "label", "n_steps"],
    f"/examples/{EXAMPLE}/metadata": ["metadata.group", "back"],
    f"/examples/{EXAMPLE}/decision": ["target", "wrong.target", "back"],
    "/tasks/sentiment/sandbox": ["target", "context.prompt", "input.text", "label", "n_steps", "action"],
    "/tasks/sentiment/content-notice": ["next"],
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
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("path", FORMS)
def test_no_form_breaks_a_page(path: str, value: str, ada: Visitor, fake: FakePlatform) -> None:
    answer = ada.post(path.format(round=fake.loop.round_id), **dict.fromkeys(FORMS[path], value))
    assert answer.status_code < 500, answer.text
    assert "<script>alert" not in answer.text


@pytest.mark.parametrize("path", FORMS)
def test_bytes_that_are_no_text_are_refused(path: str, ada: Visitor, fake: FakePlatform) -> None:
    body = b"&".join(name.encode() + b"=%ff%fe%00" for name in FORMS[path])
    kind = "application/x-www-form-urlencoded"
    target = path.format(round=fake.loop.round_id)
    answer = ada.client.post(target, data=body, headers=SAME_ORIGIN, content_type=kind)
    assert answer.status_code == 400
    assert "not valid UTF-8" in answer.text


@pytest.mark.parametrize("value", ["\\012x", "a b", "ключ", '"a\\015\\012b"', "x" * 4000])
@pytest.mark.parametrize(
    "cookie", ["dynabench_access", "dynabench_refresh", "dynabench_person", "dynabench_theme"]
)
def test_no_cookie_breaks_a_page(cookie: str, value: str, visitor: Visitor) -> None:
    answer = visitor.get("/account", Cookie=f"{cookie}={value}")
    assert answer.status_code == 303


@pytest.mark.parametrize(
    "query", ["example=x", "example=../../x", "cursor=x", "notice=x", "next=%0d%0aX: 1", "hint=%ff"]
)
@pytest.mark.parametrize("path", ["/", "/rounds/{round}/create", "/rounds/{round}/tries", "/sign-in"])
def test_no_query_breaks_a_page(path: str, query: str, ada: Visitor, fake: FakePlatform) -> None:
    assert ada.get(f"{path.format(round=fake.loop.round_id)}?{query}").status_code < 500
