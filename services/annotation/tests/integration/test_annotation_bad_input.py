"""Bad input: each a specific refusal that names the field, nothing of it stored; and odd input that is fine."""

import json
from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench_common.http.schemas import encode_cursor
from werkzeug.test import TestResponse

from .conftest import Platform

Place = tuple[str, UUID, str]


@pytest.fixture
def place(platform: Platform) -> Place:
    """A round, a person, and the context in their hands."""
    person, round_id = uuid4(), platform.open_round()
    return round_id, person, platform.assign(round_id, person)["context"]["context_id"]


def refused(platform: Platform, round_id: str, response: TestResponse, status: int, field: str) -> None:
    problem = response.get_json()
    assert response.status_code == status, problem
    assert response.content_type == "application/problem+json"
    assert problem["field"] == field
    assert problem["remedy"]
    assert platform.counts(round_id)["tries"] == 0


@pytest.mark.parametrize(
    "text",
    ["", " ", "\n\t ", "\u200b\u200d", "\u00a0\u2003", "\u2800", "\u3164"],
    ids=["empty", "space", "whitespace", "zero width", "no-break", "braille blank", "hangul filler"],
)
def test_blank_text(platform: Platform, place: Place, text: str) -> None:
    round_id, person, context_id = place
    refused(platform, round_id, platform.try_(round_id, person, context_id, text), 422, "input.text")


@pytest.mark.parametrize("length", [1_001, 100_000, 300_000])
def test_text_over_the_limit(platform: Platform, place: Place, length: int) -> None:
    round_id, person, context_id = place
    response = platform.try_(round_id, person, context_id, "x" * length)
    refused(platform, round_id, response, 422, "input.text")


def test_a_body_over_the_limit(platform: Platform, place: Place) -> None:
    round_id, person, context_id = place
    response = platform.try_(round_id, person, context_id, "x" * 1_100_000)
    assert response.status_code == 413
    assert platform.counts(round_id)["tries"] == 0


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\ud83d"])
def test_characters_that_are_no_text(platform: Platform, place: Place, character: str) -> None:
    round_id, person, context_id = place
    response = platform.try_(round_id, person, context_id, f"before{character}after")
    problem = response.get_json()
    assert response.status_code == 422, problem
    assert "input" in problem["field"] + problem["detail"]
    assert platform.counts(round_id)["tries"] == 0


@pytest.mark.parametrize(
    ("data", "problem_type"),
    [
        (b'{"input": {"text": "caf\xe9"}}', "/problems/body-not-utf8"),
        (b'{"input": {"text": "\xed\xa0\x80"}}', "/problems/body-not-utf8"),
        (b"{", "/problems/body-not-json"),
        (b"", "/problems/body-not-json"),
        (b'{"input": NaN}', "/problems/body-not-json"),
        (b"[" * 100_000, "/problems/body-not-json"),
    ],
)
def test_a_body_that_is_no_json(platform: Platform, place: Place, data: bytes, problem_type: str) -> None:
    round_id, person, _ = place
    response = platform.call(
        "POST", f"/rounds/{round_id}/examples", person=person, data=data, content_type="application/json"
    )
    assert response.status_code == 400
    assert response.get_json()["type"] == problem_type


@pytest.mark.parametrize("body", [[], "text", 7, None])
def test_a_body_that_is_no_object(platform: Platform, place: Place, body: object) -> None:
    round_id, person, _ = place
    response = platform.call(
        "POST",
        f"/rounds/{round_id}/examples",
        person=person,
        data=json.dumps(body),
        content_type="application/json",
    )
    assert response.status_code in (400, 422)
    assert response.content_type == "application/problem+json"


def test_a_body_of_another_media_type(platform: Platform, place: Place) -> None:
    round_id, person, _ = place
    response = platform.call(
        "POST", f"/rounds/{round_id}/examples", person=person, data=b"a=1", content_type="text/plain"
    )
    assert response.status_code in (400, 415, 422)
    assert response.content_type == "application/problem+json"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"input": {"text": "Fine."}}, "input.label"),
        ({"input": {"text": "Fine.", "label": "great"}}, "input.label"),
        ({"input": {"text": "Fine.", "label": "Negative"}}, "input.label"),
        ({"input": {"text": "Fine.", "label": ""}}, "input.label"),
        ({"input": {"text": "Fine.", "label": None}}, "input.label"),
        ({"input": {"text": 7, "label": "neutral"}}, "input.text"),
        ({"input": {"label": "neutral"}}, "input.text"),
        ({"input": {"text": "Fine.", "label": "neutral", "verdict": "fooled"}}, "input.verdict"),
        ({"input": "Fine."}, "input"),
        ({"verdict": "fooled"}, "verdict"),
        ({"answers": []}, "answers"),
        ({"hint_shown": "perhaps"}, "hint_shown"),
        ({"context_id": "first"}, "context_id"),
        ({"context_id": None}, "context_id"),
        ({"explanations": {"label": "x" * 1_001}}, "explanations.label"),
        ({"explanations": {"why": "x"}}, "explanations.why"),
    ],
)
def test_fields_that_are_wrong(platform: Platform, place: Place, change: dict[str, Any], field: str) -> None:
    round_id, person, context_id = place
    body = {"context_id": context_id, "input": {"text": "Fine.", "label": "neutral"}, **change}
    response = platform.call("POST", f"/rounds/{round_id}/examples", body, person=person)
    refused(platform, round_id, response, 422, field)


@pytest.mark.parametrize("key", ["", "with space", "k" * 201, "schlüssel"])
def test_an_unusable_key(platform: Platform, place: Place, key: str) -> None:
    round_id, person, context_id = place
    response = platform.try_(round_id, person, context_id, key=key)
    refused(platform, round_id, response, 422, "Idempotency-Key")


@pytest.mark.parametrize(
    "text",
    [
        "👩🏽‍🚀 loved it 🎉",
        "e\u0301 is not \u00e9",
        "<script>alert('no')</script> & \"quotes\"",
        "tab\tand\r\nline breaks",
        "مرحبا بالعالم",
        "\u202eright to left",
        "  spaces around  ",
        "𝕳𝖊𝖑𝖑𝖔",
        "'; DROP TABLE example; --",
        "\\u0000 is only text",
    ],
)
def test_odd_text_is_kept_as_it_came(platform: Platform, place: Place, text: str) -> None:
    round_id, person, context_id = place
    example = platform.example(round_id, person, context_id=context_id, text=text)
    read = platform.call("GET", f"/examples/{example['example_id']}", person=person).get_json()
    assert example["input"]["text"] == read["input"]["text"] == text
    assert platform.gateway.targets["alpha"].instances[-1] == {"text": text}


def test_lengths_count_code_points(platform: Platform, place: Place) -> None:
    round_id, person, context_id = place
    assert platform.try_(round_id, person, context_id, "🎉" * 1_000).status_code == 201
    assert platform.try_(round_id, person, context_id, "🎉" * 1_001).status_code == 422


def test_an_unknown_round(platform: Platform, place: Place) -> None:
    _, person, context_id = place
    response = platform.try_(str(uuid4()), person, context_id)
    assert (response.status_code, response.get_json()["field"]) == (404, "round_id")


def test_a_round_id_that_is_none(platform: Platform, place: Place) -> None:
    _, person, context_id = place
    response = platform.try_("first", person, context_id)
    assert (response.status_code, response.get_json()["field"]) == (422, "round_id")


@pytest.mark.parametrize("state", ["paused", "closed"])
def test_a_round_that_is_not_open(platform: Platform, place: Place, state: str) -> None:
    round_id, person, context_id = place
    platform.set_state(round_id, state)
    response = platform.try_(round_id, person, context_id)
    refused(platform, round_id, response, 409, "round_id")
    assert response.get_json()["type"] == f"/problems/round-{state}"
    assert platform.gateway.targets["alpha"].instances == []


def test_a_draft(platform: Platform) -> None:
    round_id = platform.draft()
    response = platform.call("POST", f"/rounds/{round_id}/assignments", {}, person=uuid4())
    assert response.get_json()["type"] == "/problems/round-draft"


def test_a_context_of_another_round(platform: Platform, place: Place) -> None:
    round_id, person, _ = place
    elsewhere = platform.open_round()
    context_id = platform.assign(elsewhere, person)["context"]["context_id"]
    refused(platform, round_id, platform.try_(round_id, person, context_id), 422, "context_id")


def test_a_context_that_nobody_gave_this_person(platform: Platform, place: Place) -> None:
    round_id, _, context_id = place
    refused(platform, round_id, platform.try_(round_id, uuid4(), context_id), 409, "context_id")


def test_an_unknown_context(platform: Platform, place: Place) -> None:
    round_id, person, _ = place
    refused(platform, round_id, platform.try_(round_id, person, str(uuid4())), 404, "context_id")


@pytest.mark.parametrize(
    ("contexts", "field"),
    [
        ([], "contexts"),
        ([{"fields": {}}], "contexts[0].fields.prompt"),
        ([{"fields": {"prompt": "Yes."}}, {"fields": {"prompt": " "}}], "contexts[1].fields.prompt"),
        ([{"fields": {"prompt": "x" * 501}}], "contexts[0].fields.prompt"),
        ([{"fields": {"prompt": "Yes.", "topic": "x"}}], "contexts[0].fields.topic"),
        ([{"fields": {"prompt": "Yes."}, "tags": ["t" * 61]}], "contexts[0].tags[0]"),
        ([{"fields": {"prompt": "Yes."}, "tags": ["a"] * 21}], "contexts[0].tags"),
        ([{"fields": {"prompt": "Yes."}}, {"fields": {"prompt": "Yes."}}], "contexts[1]"),
        ([{"fields": {"prompt": "New."}}, {"fields": {"prompt": "Prompt 1."}}], "contexts[1]"),
        ([{"fields": {"prompt": f"P{n}"}} for n in range(1_001)], "contexts"),
    ],
)
def test_contexts_that_cant_be_added_add_none(
    platform: Platform, contexts: list[dict[str, Any]], field: str
) -> None:
    round_id = platform.draft(contexts=2)
    response = platform.call(
        "POST",
        f"/rounds/{round_id}/contexts",
        {"contexts": contexts},
        person=uuid4(),
        roles=[f"owner:{platform.slug}"],
    )
    assert 400 <= response.status_code < 500
    assert response.get_json()["field"] == field
    assert len(platform.owner("GET", f"/rounds/{round_id}/contexts")["items"]) == 2


@pytest.mark.parametrize("reason", ["", " ", "x" * 501, "bell\x07"])
def test_a_report_without_a_usable_reason(platform: Platform, place: Place, reason: str) -> None:
    _, person, context_id = place
    response = platform.call("POST", f"/contexts/{context_id}/flags", {"reason": reason}, person=person)
    assert (response.status_code, response.get_json()["field"]) == (422, "reason")


@pytest.mark.parametrize("cursor", ["!", "bm8", "WyJ4Il0", "W10", "eyJhIjogMX0", "é"])
def test_a_cursor_of_nothing(platform: Platform, place: Place, cursor: str) -> None:
    round_id, person, _ = place
    response = platform.call("GET", f"/rounds/{round_id}/examples?cursor={cursor}", person=person)
    assert (response.status_code, response.get_json()["field"]) == (422, "cursor")


@pytest.mark.parametrize("position", ["a\x00b", "\ud83d", 10**30, -1, 1.5, True, None, ["a"], {"a": 1}])
@pytest.mark.parametrize("path", ["/tasks", "/tasks/{slug}/rounds", "/rounds/{round_id}/examples"])
def test_a_cursor_that_points_nowhere(platform: Platform, place: Place, path: str, position: Any) -> None:
    round_id, person, _ = place
    path = path.format(slug=platform.slug, round_id=round_id)
    response = platform.call("GET", f"{path}?cursor={encode_cursor(position)}", person=person)
    assert (response.status_code, response.get_json()["field"]) == (422, "cursor")


@pytest.mark.parametrize("slug", ["a%00b", "%ED%A0%80", "x" * 101, "%F0%9F%8E%89"])
def test_a_slug_that_none_can_be(platform: Platform, slug: str) -> None:
    assert platform.call("GET", f"/tasks/{slug}").status_code in (404, 422)
