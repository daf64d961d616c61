"""The conversation in a browser: with and without scripts, on a phone, in the dark, from right to left."""

from typing import Literal

import pytest
from playwright.sync_api import Browser, ViewportSize, expect
from web_chromium import DESK, OVERFLOW, PHONE, violations
from web_fake_platform import PASSWORD, FakePlatform

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
@pytest.mark.parametrize(
    ("size", "theme", "language"), [(PHONE, "dark", "ar"), (DESK, "light", "en")], ids=["phone", "desk"]
)
def test_a_message_is_written_and_read(
    browser: Browser,
    site: str,
    fake: FakePlatform,
    size: ViewportSize,
    theme: Literal["light", "dark"],
    language: str,
    script: bool,
) -> None:
    case = next(iter(fake.owners.cases))
    fake.threads.appeal = {"reason": "No irony.", "at": "2026-01-08T10:00:30Z", "answer": "It is."}
    context = browser.new_context(
        base_url=site, viewport=size, color_scheme=theme, bypass_csp=True, java_script_enabled=script
    )
    context.add_cookies([{"name": "dynabench_language", "value": language, "url": site}])
    page = context.new_page()
    page.emulate_media(reduced_motion="reduce")
    form: dict[str, str | float | bool] = {"user_name": "olga", "password": PASSWORD}
    page.request.post("/sign-in", form=form, headers={"Sec-Fetch-Site": "same-origin"}, max_redirects=0)
    page.goto(f"/examples/{case}/thread")
    page.locator("#message").fill("Two of three people read irony in it. " * 5)
    page.locator("main form button.primary").click()
    expect(page.locator(".thread")).to_contain_text("Two of three people")
    if script:
        assert violations(page) == []
        assert page.evaluate(OVERFLOW) <= 0
    context.close()
