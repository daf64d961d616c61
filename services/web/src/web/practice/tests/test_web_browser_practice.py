"""The practice in a browser: by keys, by marking, without scripts, on a phone and a desk."""

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from web_chromium import DESK, OVERFLOW, PHONE, violations
from web_fake_platform import FakePlatform

pytestmark = pytest.mark.slow

SignIn = Callable[[str], None]


def test_three_texts_take_six_keys_and_end_where_one_writes(
    page: Page, sign_in: SignIn, fake: FakePlatform
) -> None:
    fake.my_rounds.clear()
    task = fake.loop.add("nli", has_practice=True)
    sign_in(f"/rounds/{task.round_id}/create")
    expect(page.locator("h1")).to_contain_text("Practice")
    for number, label in enumerate("321", start=1):
        expect(page.locator(".work-links")).to_contain_text(f"{number} of 3")
        page.keyboard.press(label)
        expect(page.locator("#outcome-heading")).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.locator("#try-form")).to_be_visible()
    assert page.url.endswith(f"/rounds/{task.round_id}/create")


def test_the_answer_of_a_passage_is_marked(page: Page, fake: FakePlatform) -> None:
    fake.loop.add("qa", has_practice=True)
    page.goto("/tasks/qa/practice?item=2")
    page.fill("input[name='practice.value']", "eleven")
    page.click("button.primary:has-text('See what the model said')")
    expect(page.locator("#outcome-heading")).to_contain_text("Not fooled")
    expect(page.locator(".marked")).to_contain_text("eleven")


def test_it_works_without_scripts(browser: Browser, site: str, fake: FakePlatform) -> None:
    fake.loop.add("nli", has_practice=True)
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/tasks/nli/practice")
    for label in ("contradiction", "neutral", "neutral"):
        page.click(f"button[value={label}]")
        expect(page.locator("#outcome-heading")).to_be_visible()
        page.click(".verdict .button.primary")
    expect(page.locator("main")).to_contain_text("Sign in")
    context.close()


@pytest.mark.parametrize(("size", "theme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
@pytest.mark.parametrize(("slug", "answer"), [("nli", "neutral"), ("qa", "stone"), ("topics", "nature")])
def test_nothing_is_amiss_in_practice(
    browser: Browser,
    site: str,
    fake: FakePlatform,
    size: ViewportSize,
    theme: Literal["light", "dark"],
    slug: str,
    answer: str,
) -> None:
    fake.loop.add(slug, has_practice=True)
    context = browser.new_context(base_url=site, viewport=size, color_scheme=theme, bypass_csp=True)
    page = context.new_page()
    page.emulate_media(reduced_motion="reduce")

    def check() -> None:
        assert violations(page) == []
        assert page.evaluate(OVERFLOW) <= 0

    page.goto(f"/tasks/{slug}/practice")
    check()
    if slug == "qa":
        page.fill("input[name='practice.value']", answer)
        page.click("button.primary:has-text('See what the model said')")
    elif slug == "topics":
        page.check(f"input[value={answer}]")
        page.click("button.primary:has-text('See what the model said')")
    else:
        page.click(f"button[value={answer}]")
    expect(page.locator("#outcome-heading")).to_be_visible()
    check()
    page.goto(f"/tasks/{slug}/practice?item=9")
    check()
    context.close()
