"""Assigned work in a browser: with and without scripts, on a phone, in the dark, from right to left."""

from typing import Literal

import pytest
from playwright.sync_api import Browser, ViewportSize, expect
from web_chromium import BELOW, DESK, OVERFLOW, PHONE, violations
from web_fake_platform import PASSWORD, FakePlatform

pytestmark = pytest.mark.slow

HERE = "/tasks/sentiment/assigned-work"
TOPIC = "A topic of several words about سخرية"


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
@pytest.mark.parametrize(
    ("size", "theme", "language"), [(PHONE, "dark", "ar"), (DESK, "light", "de")], ids=["phone", "desk"]
)
def test_work_is_assigned_reassigned_and_seen(
    browser: Browser,
    site: str,
    fake: FakePlatform,
    size: ViewportSize,
    theme: Literal["light", "dark"],
    language: str,
    script: bool,
) -> None:
    context = browser.new_context(
        base_url=site, viewport=size, color_scheme=theme, bypass_csp=True, java_script_enabled=script
    )
    context.add_cookies([{"name": "dynabench_language", "value": language, "url": site}])
    page = context.new_page()
    page.emulate_media(reduced_motion="reduce")

    def check() -> None:
        if script:
            assert violations(page) == []
            assert page.evaluate(OVERFLOW) <= 0
            assert page.evaluate(BELOW) == []

    form: dict[str, str | float | bool] = {"user_name": "olga", "password": PASSWORD}
    page.request.post("/sign-in", form=form, headers={"Sec-Fetch-Site": "same-origin"}, max_redirects=0)
    page.goto(f"/rounds/{fake.loop.round_id}/contexts")
    check()
    page.locator("input[name=context]").first.check()
    page.locator("form[action$='assigned-work#assign'] button").click()
    page.locator("#people").fill("ada\nolga")
    page.locator("#assign input[name=due_on]").fill("2099-01-09")
    page.locator("#assign input[name=topic]").fill(TOPIC)
    page.locator("#assign button.primary").click()
    expect(page.locator("tbody tr")).to_have_count(2)
    late = next(iter(fake.orders.orders.values()))
    late["due_on"] = "2026-01-07"
    page.goto(HERE)
    check()
    page.locator(f"#reassign-{late['order_id']} summary").click()
    check()
    page.locator(f"#withdraw-{late['order_id']} summary").click()
    page.locator(f"#withdraw-{late['order_id']} button").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    for path in ("/", f"/rounds/{fake.loop.round_id}/create"):
        page.goto(path)
        expect(page.locator("main")).to_contain_text("سخرية")
        check()
    context.close()
