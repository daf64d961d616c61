"""Chromium on the pages over the fake platform."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from web_chromium import DESK
from web_fake_platform import PASSWORD, FakePlatform


@pytest.fixture
def context(browser: Browser, site: str) -> Iterator[BrowserContext]:
    made = browser.new_context(base_url=site, viewport=DESK)
    made.set_default_timeout(10_000)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page whose console must stay silent: the policy is broken by nothing, nor does a script fail."""
    complaints: list[str] = []
    made = context.new_page()
    made.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    made.on("pageerror", lambda error: complaints.append(str(error)))
    yield made
    assert [text for text in complaints if "Failed to load resource" not in text] == []


@pytest.fixture
def sign_in(page: Page, fake: FakePlatform) -> Callable[[str], None]:
    def sign_in(path: str, user_name: str = "ada") -> None:
        page.goto(path)
        page.fill("[name=user_name]", user_name)
        page.fill("[name=password]", PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url(f"**{path}")

    return sign_in


@pytest.fixture
def creating(sign_in: Callable[[str], None], page: Page, fake: FakePlatform) -> Page:
    sign_in(f"/rounds/{fake.loop.round_id}/create")
    return page
