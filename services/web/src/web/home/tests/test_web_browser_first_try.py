"""An anonymous try in a browser: the verdict comes without a new page, and screen readers announce it."""

from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from web_chromium import DESK, OVERFLOW, PHONE, violations
from web_fake_platform import FakePlatform

TEXT = "#first-try-text"


def attempt(page: Page, text: str = "A sentence to fool it.") -> None:
    page.fill(TEXT, text)
    page.click("#first-try button[value=positive]")


def test_the_verdict_comes_into_the_page(page: Page) -> None:
    page.goto("/")
    page.evaluate("window.stayed = true")
    attempt(page)
    expect(page.locator("#first-verdict")).to_contain_text("Fooled")
    expect(page.locator("#first-verdict")).to_be_focused()
    expect(page.locator(TEXT)).to_have_value("A sentence to fool it.")
    assert page.evaluate("window.stayed") is True
    assert page.url.endswith("/")

    attempt(page, "A fine day.")
    expect(page.locator("#first-verdict")).to_contain_text("Not fooled")
    assert page.evaluate("window.stayed") is True


def test_a_refusal_comes_into_the_page_and_the_next_try_works(page: Page, fake: FakePlatform) -> None:
    page.goto("/")
    page.on("console", lambda message: None)
    fake.fail("POST", "/front-model/answers$", 503, "front-model-silent", title="The model did not answer")
    attempt(page)
    expect(page.locator("#first-try-problem")).to_contain_text("The model did not answer")
    expect(page.locator(TEXT)).to_have_value("A sentence to fool it.")
    attempt(page)
    expect(page.locator("#first-verdict")).to_contain_text("Fooled")


def test_it_works_without_scripts(browser: Browser, site: str) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    attempt(page)
    expect(page.locator("#first-verdict")).to_contain_text("Fooled")
    context.close()


@pytest.mark.long
@pytest.mark.parametrize(("size", "theme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
def test_nothing_is_amiss_before_and_after(
    browser: Browser, site: str, size: ViewportSize, theme: Literal["light", "dark"]
) -> None:
    context = browser.new_context(base_url=site, viewport=size, color_scheme=theme, bypass_csp=True)
    page = context.new_page()
    page.emulate_media(reduced_motion="reduce")
    page.goto("/")
    for text in ("A sentence to fool it.", "A fine day."):
        attempt(page, text)
        expect(page.locator("#first-verdict")).to_be_visible()
        assert violations(page) == []
        assert page.evaluate(OVERFLOW) <= 0
    context.close()
