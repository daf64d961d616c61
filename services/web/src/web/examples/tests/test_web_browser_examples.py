"""Public examples in a browser: no finding of axe-core, nothing wider than the window, word weights on request."""

from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect
from web_chromium import OVERFLOW, violations
from web_fake_examples import EXAMPLE_ID
from web_fake_platform import PASSWORD, FakePlatform

EXAMPLE = f"/examples/{EXAMPLE_ID}"
PASSAGE = "The mill burned down in 1902. It was rebuilt in 1910. " * 6


@pytest.mark.long
@pytest.mark.parametrize(
    ("width", "theme", "forced"),
    [(1280, "light", "none"), (390, "dark", "none"), (320, "light", "none"), (1280, "light", "active")],
)
def test_no_page_of_examples_has_a_finding(
    width: int,
    theme: Literal["light", "dark"],
    forced: Literal["none", "active"],
    browser: Browser,
    site: str,
    fake: FakePlatform,
) -> None:
    for slug in ("qa", "hate-speech"):
        fake.loop.add(slug)
    answer = {"start": 24, "end": 28, "text": "1902"}
    qa = fake.showcase.add("qa", {"passage": PASSAGE}, {"question": "When did it burn down?"}, answer)
    hate = fake.showcase.add("hate-speech", {}, {"text": "They should go home."}, "hateful")
    fake.showcase.reports[EXAMPLE_ID] = ["It names my neighbour."]
    fake.showcase.hidden[fake.showcase.items[1]["example_id"]] = "It is copied."
    context = browser.new_context(
        base_url=site,
        viewport={"width": width, "height": 800},
        color_scheme=theme,
        forced_colors=forced,
        reduced_motion="reduce",
        bypass_csp=True,
    )
    page = context.new_page()

    def visit(path: str) -> None:
        page.goto(path)
        for summary in page.query_selector_all("main details:not([open]) > summary:visible"):
            summary.click()
        assert violations(page) == [], path
        assert page.evaluate(OVERFLOW) <= 0, f"{path} is wider than the window"

    for path in (EXAMPLE, f"/examples/{qa}", f"/examples/{hate}", "/examples", "/examples?model=nobody"):
        visit(path)
    page.goto(f"/sign-in?next={EXAMPLE}")
    page.fill("[name=user_name]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    for path in (EXAMPLE, "/tasks/sentiment/reports", f"{EXAMPLE}/hidden"):
        visit(path)
    context.close()


def test_the_words_that_decided_appear_below_their_model(page: Page) -> None:
    page.goto(EXAMPLE)
    page.click("text=Show which words decided >> nth=1")
    expect(page.locator("#words-slot-2 .attribution")).to_be_visible()
    expect(page.locator("#words-slot-1 .attribution")).to_have_count(0)
    expect(page.locator("h1")).to_have_text("An example that fooled both models")


def test_the_address_can_be_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(EXAMPLE)
    page.click(".share button")
    expect(page.locator(".share button")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.input_value("#share-address")


def test_a_text_with_a_notice_is_read_after_a_click(page: Page, fake: FakePlatform) -> None:
    fake.loop.add("hate-speech")
    example_id = fake.showcase.add("hate-speech", {}, {"text": "They should go home."}, "hateful")
    page.goto(f"/examples/{example_id}")
    expect(page.get_by_text("They should go home.")).to_be_hidden()
    page.click("text=Show the text")
    expect(page.get_by_text("They should go home.")).to_be_visible()
