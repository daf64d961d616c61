"""Answers that our server did not make: a sentence appears at the form, which stays as it was."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect
from web_chromium import intercept_from_the_start
from web_fake_platform import PASSWORD, FakePlatform
from web_fake_votes import WAITING

pytestmark = pytest.mark.slow

FOREIGN: list[tuple[str, dict[str, Any] | None, str]] = [
    ("a proxy without its server", {"status": 502, "body": "<h1>Bad Gateway</h1>"}, "does not answer"),
    ("a busy edge", {"status": 429, "json": {"title": "Slow down"}}, "sent too many requests"),
    (
        "a limit of the edge",
        {"status": 413, "json": {"title": "Too large"}},
        "This text is too long",
    ),
    ("the sign-in of a network", {"status": 200, "body": "<div id='work'>Free Wi-Fi</div>"}, "not come from"),
    ("raw JSON", {"status": 200, "json": {"id": "work"}}, "not come from"),
    ("nobody", None, "does not answer"),
]


@pytest.fixture
def loose(context: BrowserContext, fake: FakePlatform) -> Iterator[Page]:
    """A page on which scripts may complain: of each answer that is missing."""
    page = context.new_page()
    intercept_from_the_start(page)
    answer = page.request.post(
        "/sign-in",
        form={"user_name": "ada", "password": PASSWORD},
        headers={"Sec-Fetch-Site": "same-origin"},
        max_redirects=0,
    )
    assert answer.status == 303
    yield page


def reply(answer: dict[str, Any] | None, route: Route) -> None:
    if answer is None:
        route.abort()
    else:
        route.fulfill(**answer)


def test_what_is_not_ours_is_told_beside_the_form_and_tried_again(loose: Page, fake: FakePlatform) -> None:
    loose.goto(f"/rounds/{fake.loop.round_id}/create")
    loose.check("input[value=negative]")
    loose.fill("#field-text", "Nothing is lost.")
    box = loose.locator("#try-form > .problem")
    for _, answer, words in FOREIGN:
        loose.route("**/create", partial(reply, answer))
        if box.count():
            box.get_by_role("button", name="Try again").click()
        else:
            loose.press("#field-text", "Enter")
        expect(box).to_contain_text(words)
        expect(box).to_contain_text("What you wrote is still here.")
        expect(box).to_be_focused()
        expect(loose.locator("#field-text")).to_have_value("Nothing is lost.")
        loose.unroute("**/create")
    fake.fail("GET", "/tasks/sentiment$", 503, "away", detail="The service restarts.", times=9)
    box.get_by_role("button", name="Try again").click()
    expect(box).to_contain_text("The service restarts.")
    expect(loose.locator("#field-text")).to_have_value("Nothing is lost.")
    fake.failures.clear()
    box.get_by_role("button", name="Try again").click()
    expect(loose.locator(".verdict h2")).to_be_focused()
    expect(box).to_have_count(0)
    assert len(fake.loop.examples) == 1


def test_a_vote_that_nobody_took_is_sent_again_with_the_same_button(loose: Page, fake: FakePlatform) -> None:
    loose.goto(f"/rounds/{fake.loop.round_id}/validate")
    loose.route("**/validate", lambda route: route.fulfill(status=502, body="{}"))
    loose.keyboard.press("2")
    expect(loose.locator("#vote-form > .problem >> visible=true")).to_contain_text("does not answer")
    expect(loose.locator(".example-text")).to_have_text(WAITING[0])
    loose.unroute("**/validate")
    loose.get_by_role("button", name="Try again").click()
    expect(loose.locator("#answered-heading")).to_be_focused()
    assert [each["value"] for each in fake.loop.ballots] == ["neutral"]
