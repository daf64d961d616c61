"""The loop through the pages: one person fools the model, others confirm it, the round's figures change."""

import json
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from dynabench_client import Dynabench
from dynabench_common.testing import wait_until
from playwright.sync_api import expect

from tests.scenarios import PASSWORD, board

SARCASM = "Lovely, another hour on hold with that charming music of theirs."
# A text counts once in its task, and both runs of the loop use one task.
FOOLING = {True: SARCASM, False: "The queue was wonderful and everyone was kind to us."}
PLAIN = "The bread was wonderful and everyone was kind to us."


def submit(page: Any, text: str, label: str) -> None:
    page.check(f"[name='input.label'][value={label}]")
    page.fill("textarea[name='input.text']", text)
    page.click("#try-form button[value=submit]")
    expect(page.locator("#verdict-heading")).to_be_visible()


def vote(member: Any, round_id: str, text: str, label: str) -> None:
    wait_until(lambda: member.client.validation.lease(round_id).lease_id, what="an example to validate")
    page = member.open(f"/rounds/{round_id}/validate")
    expect(page.locator(".example-text")).to_contain_text(text)
    assert "ooled" not in page.inner_text("#work")
    page.click(f"button[name=choice][value='option:{label}']")
    page.click("button:has-text('See what the author says')")
    expect(page.locator("#reveal-heading")).to_contain_text("negative")


@pytest.mark.parametrize("javascript", [True, False], ids=["with scripts", "as plain forms"])
def test_the_loop(new_member: Callable[..., Any], round_id: str, owner: Dynabench, javascript: bool) -> None:
    author, first, second = (new_member(javascript=javascript) for _ in range(3))
    for member in (author, first, second):
        member.sign_in()
    page = author.open(f"/rounds/{round_id}/create")
    submit(page, PLAIN, "positive")
    expect(page.locator("#verdict-heading")).to_contain_text("The model got it right")
    submit(page, FOOLING[javascript], "negative")
    expect(page.locator("#verdict-heading")).to_contain_text("You fooled")
    expect(page.locator("section.verdict")).to_contain_text("sentiment-minilm")
    page.fill("#explanations input[name=label]", "It is a complaint.")
    page.click("#explanations button")
    expect(page.locator("#explanations")).to_contain_text("saved")
    vote(first, round_id, FOOLING[javascript], "negative")
    vote(second, round_id, FOOLING[javascript], "negative")
    wait_until(lambda: board(owner, round_id).validated_errors == 1, what="the validated error")
    shown = author.open(f"/rounds/{round_id}").inner_text("main").replace("\xa0", " ")
    assert "50.0 %" in shown
    figures = owner.leaderboard.round(round_id)
    assert (figures.tries, figures.fooled, figures.votes, figures.resolved) == (2, 1, 2, 1)
    assert figures.vmer.value == pytest.approx(0.5)
    assert figures.validity.value == pytest.approx(1.0)


def test_a_draft_survives_reload_and_an_expired_sign_in(
    new_member: Callable[..., Any], round_id: str
) -> None:
    member = new_member()
    member.sign_in()
    page = member.open(f"/rounds/{round_id}/create")
    page.check("[name='input.label'][value=negative]")
    page.fill("textarea[name='input.text']", SARCASM)
    expect(page.locator("[data-draft-status]").first).to_contain_text("saved")
    page.reload()
    assert page.input_value("textarea[name='input.text']") == SARCASM
    for name in ("dynabench_access", "dynabench_refresh"):
        page.context.clear_cookies(name=name)
    page.check("[name='input.label'][value=negative]")
    page.click("#try-form button[value=submit]")
    page.wait_for_selector("input[name=password]")
    page.fill("input[name=user_name]", member.user_name)
    page.fill("input[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector("textarea[name='input.text'], #verdict-heading")
    assert SARCASM in (page.input_value("textarea[name='input.text']") + page.inner_text("main"))


def test_a_double_click_stores_one_example(
    new_member: Callable[..., Any], round_id: str, owner: Dynabench
) -> None:
    member = new_member()
    member.sign_in()
    page = member.open(f"/rounds/{round_id}/create")
    page.check("[name='input.label'][value=positive]")
    page.fill("textarea[name='input.text']", PLAIN)
    page.dblclick("#try-form button[value=submit]")
    expect(page.locator("#verdict-heading")).to_be_visible()
    assert owner.annotation.counts(round_id).tries == 1


def test_markup_is_shown_as_text(new_member: Callable[..., Any], round_id: str) -> None:
    member = new_member()
    member.sign_in()
    page = member.open(f"/rounds/{round_id}/create")
    text = "<script>document.title='broken'</script> <b>what</b> a lovely day 😀 e\u0301"
    submit(page, text, "positive")
    page.goto(f"{member.url}/rounds/{round_id}/tries")
    assert text in page.inner_text("main")
    assert page.title() != "broken"


def test_inspection_shows_which_words_weighed(new_member: Callable[..., Any], round_id: str) -> None:
    member = new_member()
    member.sign_in()
    page = member.open(f"/rounds/{round_id}/create")
    submit(page, "The soup was terrible and cold.", "negative")
    page.click("section.verdict button:has-text('Inspect')")
    slot = page.locator("#inspection-slot")
    expect(slot.locator("table, [role=alert]").first).to_be_attached(timeout=60_000)
    if slot.locator("[role=alert]").count():
        slot.locator("button:has-text('Try again')").click()
    expect(slot.locator("table").first).to_be_attached(timeout=60_000)
    assert "terrible" in slot.inner_text()
    assert "terrible" in (slot.locator("table").first.text_content() or "")


def test_the_same_verdict_through_page_sdk_and_plain_http(
    new_member: Callable[..., Any], round_id: str
) -> None:
    member = new_member()
    member.sign_in()
    text, label = "My umbrella lasted exactly one gust of wind, bravo.", "negative"
    page = member.open(f"/rounds/{round_id}/create")
    submit(page, text, label)
    through_page = "You fooled" in page.inner_text("#verdict-heading")
    context_id = member.client.annotation.assign(round_id).context.context_id
    through_sdk = member.client.annotation.create_example(
        round_id, context_id, {"text": text, "label": label}
    )
    signed_in = Dynabench(member.url).accounts.sign_in(member.user_name, PASSWORD)
    request = urllib.request.Request(
        f"{member.url}/api/annotation/v1/rounds/{round_id}/examples",
        data=json.dumps({"context_id": context_id, "input": {"text": text, "label": label}}).encode(),
        headers={"Authorization": f"Bearer {signed_in.access_token}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        through_http = json.load(response)
    assert through_page == through_sdk.fooled == (through_http["verdict"] == "fooled")
    assert through_http["answers"][0]["value"] == through_sdk.answers[0].value
    assert through_http["answers"][0]["probabilities"] == pytest.approx(through_sdk.answers[0].probabilities)
