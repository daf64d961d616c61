"""Time to start: a visitor's first verdict, a member's first try, twenty votes by keys alone."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from dynabench_client import Dynabench
from playwright.sync_api import Browser, Page, expect

from tests.e2e.first_minute import Person
from tests.scenarios import PASSWORD, OwnTask, record

pytestmark = pytest.mark.slow

FRONT_MODEL = "sentiment-words"
SENTENCE = "I laughed so hard that I forgot to ask for my money back."


@pytest.fixture
def visitor(browser: Browser, platform: Any) -> Iterator[Page]:
    """A page of an anonymous visitor, at the front page."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(f"{platform.url}/")
    yield page
    context.close()


def test_a_visitors_first_verdict_takes_three_clicks(visitor: Page, owner: Dynabench) -> None:
    """From the front page on: click the field, type, and choose the label that people would give."""
    before = {each.slug: [made.round_id for made in each.rounds] for each in owner.annotation.tasks().items}
    person = Person(visitor)

    person.type("#first-try-text", SENTENCE)
    person.click("#first-try button[value=positive]")

    expect(visitor.locator("#first-verdict")).to_be_visible()
    expect(visitor.locator("#first-try")).to_contain_text(FRONT_MODEL)
    assert person.clicks <= 3
    assert person.loads == 0
    after = {each.slug: [made.round_id for made in each.rounds] for each in owner.annotation.tasks().items}
    assert after == before


def test_the_model_of_the_front_page_closes_while_a_round_has_it(
    visitor: Page, owner: Dynabench, platform: Any
) -> None:
    area = owner.annotation
    made = area.create_round("sentiment", [FRONT_MODEL], f"Round of a test {uuid4().hex[:6]}")
    area.add_contexts(made.round_id, [{"fields": {"prompt": "We ate by the sea."}, "tags": []}])
    area.set_round_state(made.round_id, "open")
    try:
        visitor.fill("#first-try-text", SENTENCE)
        visitor.click("#first-try button[value=positive]")
        expect(visitor.locator("#first-try")).to_contain_text("No model is available")
        assert visitor.locator("#first-verdict").count() == 0
        assert area.counts(made.round_id).tries == 0
    finally:
        area.set_round_state(made.round_id, "closed")
    visitor.goto(f"{platform.url}/")
    expect(visitor.locator("#first-try-text")).to_be_visible()


def test_a_members_first_try_comes_within_two_minutes_of_signing_up(
    visitor: Page, platform: Any, round_id: str, owner: Dynabench
) -> None:
    """Sign up, practise, write, submit: at most 120 s of a person's time, by the seconds stated in `first_minute`.

    Counted from the sign-up form on. The person reads the practice texts, their results, and the prompt in full.
    """
    name = f"e2e-{uuid4().hex[:8]}"
    visitor.goto(f"{platform.url}/sign-up")
    person = Person(visitor)

    for field, text in (("user_name", name), ("email", f"{name}@demo.invalid"), ("password", PASSWORD)):
        person.type(f"input[name={field}]", text)
    person.press("Enter")
    person.click(f"a[href='/rounds/{round_id}/create']")
    for _ in range(3):
        person.read(".example")
        person.click(".vote-actions button")
        expect(visitor.locator("#outcome-heading")).to_be_visible()
        person.read(".verdict")
        person.click(".verdict .button.primary")
        expect(visitor.locator("#outcome-heading")).to_have_count(0)
    expect(visitor.locator("#try-form")).to_be_visible()
    person.read(".context")
    person.click("label:has([name='input.label'][value=positive])")
    person.type("textarea[name='input.text']", f" {SENTENCE}")
    person.press("Enter")

    expect(visitor.locator("#verdict-heading")).to_be_visible()
    assert owner.annotation.counts(round_id).tries == 1
    assert person.seconds <= 120, str(person)
    assert person.clicks <= 16, str(person)


def test_twenty_votes_take_under_sixty_keys_and_no_mouse(
    new_task: Callable[..., OwnTask], new_member: Callable[..., Any]
) -> None:
    """One key answers, another continues; the pointer is never used."""
    task = new_task()
    round_id = task.bring_in(map(record, range(20)))
    member = new_member()
    member.sign_in()
    page = member.open(f"/rounds/{round_id}/validate")
    person = Person(page)
    seen: set[str] = set()

    for _ in range(20):
        text = page.locator(".example-text")
        expect(page.locator("#question")).to_be_visible()
        seen.add(text.inner_text())
        person.press("1")
        expect(page.locator("#answered-heading")).to_be_visible()
        person.press("n")
        expect(page.locator("#answered-heading")).to_have_count(0)

    expect(page.locator(".empty")).to_be_visible()
    assert len(seen) == 20
    assert task.owner.client.validation.counts(round_id).votes == 20
    assert (person.keys, person.clicks) == (40, 0)
    assert person.keys < 60
