"""Every failure is a page with the reason, the remedy and an id to quote; never a bare 500."""

import re

import pytest
from web_fake_platform import FakePlatform
from web_visiting import SAME_ORIGIN, Visitor, pages_over

UNKNOWN = "0198c0de-0000-7000-8000-000000000000"


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/no/such/page", 404, "Page not found"),
        ("/tasks/unknown", 404, "No such task"),
        (f"/rounds/{UNKNOWN}", 404, "No such round"),
        ("/rounds/not-a-uuid", 404, "Page not found"),
    ],
)
def test_what_is_not_there_is_a_404_page(path: str, status: int, words: str, visitor: Visitor) -> None:
    answer = visitor.get(path)
    assert answer.status_code == status
    assert f"<h1>{words}</h1>" in answer.text


def test_an_error_page_has_the_request_id_of_the_service(visitor: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/tasks$", 500, detail="The database is on fire.", times=9)
    answer = visitor.get("/")
    assert answer.status_code == 500
    assert "request-of-the-fake" in answer.text
    assert 'data-copy="request-id-request-of-the-fake"' in answer.text


def test_a_service_that_is_away_is_a_503_that_says_when_to_come_back(
    visitor: Visitor, fake: FakePlatform
) -> None:
    fake.fail("GET", "/tasks$", 503, retry_after=7, times=9)
    answer = visitor.get("/")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "7"
    assert "Try again in 7\u00a0s." in answer.text


def test_a_platform_that_does_not_answer_is_a_503(visitor: Visitor, fake: FakePlatform) -> None:
    fake.stop()
    answer = visitor.get("/")
    assert answer.status_code == 503
    assert "does not answer" in answer.text


def test_a_refused_person_reads_why(ada: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/rounds/", 403, title="Not allowed", detail="Ask the owner.", times=9)
    answer = ada.get(f"/rounds/{fake.loop.round_id}")
    assert answer.status_code == 403
    assert "Ask the owner." in answer.text


def test_a_fault_of_ours_tells_nothing_of_the_inside(fake: FakePlatform) -> None:
    visitor = Visitor(pages_over(fake).test_client())

    def broken() -> str:
        raise RuntimeError("a secret of the inside")

    visitor.client.application.add_url_rule("/broken", view_func=broken)
    answer = visitor.get("/broken")
    assert answer.status_code == 500
    assert "Something went wrong on our side" in answer.text
    assert "secret" not in answer.text
    assert re.search(r'<code id="request-id-[0-9a-f]{32}">', answer.text)


def test_a_text_of_100_kb_reaches_the_service_and_a_form_over_the_limit_is_refused(
    ada: Visitor, fake: FakePlatform
) -> None:
    path = f"/rounds/{fake.loop.round_id}/create"
    context_id = fake.loop.contexts[0]["context_id"]
    written = {"input.text": "x" * 100_000, "input.label": "negative"}
    answer = ada.post(path, context_id=context_id, **written)
    assert answer.status_code == 422
    assert "It has 100000 characters." in answer.text
    assert ada.post(path, **{"input.text": "x" * 1_100_000}).status_code == 413


def test_a_wrong_method_is_a_page_too(visitor: Visitor) -> None:
    answer = visitor.post("/tasks/sentiment")
    assert answer.status_code == 405
    assert "GET" in answer.headers["Allow"]
    assert "<h1>" in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"},
        {"Origin": "null"},
    ],
)
def test_writes_from_elsewhere_are_refused_and_do_nothing(
    headers: dict[str, str], ada: Visitor, fake: FakePlatform
) -> None:
    before = len(fake.calls)
    answer = ada.client.post(f"/rounds/{fake.loop.round_id}/create", data={"text": "x"}, headers=headers)
    assert answer.status_code == 403
    assert "Not sent from one of our pages" in answer.text
    assert all(method == "GET" for method, _, _ in fake.calls[before:])


@pytest.mark.parametrize("origin", ["http://localhost"])
def test_a_write_with_our_own_origin_is_taken(origin: str, visitor: Visitor) -> None:
    answer = visitor.client.post("/preferences", data={"theme": "dark"}, headers={"Origin": origin})
    assert answer.status_code == 303


def test_htmx_shows_an_error_as_a_whole_page_but_beside_a_form(ada: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/rounds/", 404, times=9)
    headers, path = {**SAME_ORIGIN, "HX-Request": "true"}, f"/rounds/{fake.loop.round_id}/create"
    answer = ada.client.get(path, headers=headers)
    assert answer.headers["HX-Retarget"] == "#main"
    assert answer.headers["HX-Reselect"] == "#main"
    answer = ada.client.post(path, data={}, headers=headers)
    assert "HX-Retarget" not in answer.headers
    assert answer.headers["Dynabench-Page"] == "problem"
    assert answer.text.strip().startswith('<div class="problem"')


def test_pages_alone_carry_our_mark(ada: Visitor) -> None:
    assert ada.get("/").headers["Dynabench-Page"] == "page"
    assert "Dynabench-Page" not in ada.get("/healthz/live").headers
