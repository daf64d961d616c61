"""The training in a browser: by keys and without scripts, on a phone, in the dark, from right to left."""

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from web_chromium import DESK, OVERFLOW, PHONE, violations
from web_fake_platform import PASSWORD, FakePlatform

pytestmark = pytest.mark.slow

HERE = "/tasks/sentiment/training"


def take_quiz(page: Page, *options: str) -> None:
    for option in options:
        page.get_by_label(option).check()
        page.get_by_role("button", name="Answer").click()
        expect(page.locator("#result-heading")).to_be_visible()
        page.locator(".verdict .button.primary").click()


def test_a_person_fails_once_and_then_works(
    page: Page, sign_in: Callable[[str], None], fake: FakePlatform
) -> None:
    fake.loop.training.is_needed = True
    sign_in(f"/rounds/{fake.loop.round_id}/create")
    expect(page.locator("h1")).to_contain_text("Training")
    page.get_by_label("I have read the guidelines.").check()
    page.get_by_label("I agree").check()
    page.get_by_role("button", name="Confirm and continue").click()
    page.get_by_role("button", name="Start the quiz").click()
    take_quiz(page, "The reader's", "The author's")
    expect(page.get_by_role("status")).to_contain_text("1 of 2")
    page.get_by_role("button", name="Take the quiz again").click()
    take_quiz(page, "The reader's", "The reader's")
    page.get_by_role("link", name="Start to work").click()
    expect(page.locator("#try-form")).to_be_visible()


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
@pytest.mark.parametrize(("size", "theme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
@pytest.mark.parametrize("language", ["en", "ar"])
def test_nothing_is_amiss_in_the_training(
    browser: Browser,
    site: str,
    fake: FakePlatform,
    size: ViewportSize,
    theme: Literal["light", "dark"],
    language: str,
    script: bool,
) -> None:
    fake.loop.training.is_needed = True
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

    def sign_in(user_name: str) -> None:
        form: dict[str, str | float | bool] = {"user_name": user_name, "password": PASSWORD}
        page.request.post("/sign-in", form=form, headers={"Sec-Fetch-Site": "same-origin"}, max_redirects=0)

    sign_in("ada")
    page.goto(f"{HERE}/validate")
    check()
    for box in page.locator("input[type=checkbox]").all():
        box.check()
    page.locator("main form button.primary").click()
    expect(page.locator("#state-heading")).to_be_visible()
    check()
    page.locator("main form button.primary").click()
    for _ in range(2):
        check()
        page.locator("input[type=radio]").first.check()
        page.locator("main form button.primary").click()
        expect(page.locator("#result-heading")).to_be_visible()
        check()
        page.locator(".verdict .button.primary").click()
    expect(page.locator("#state-heading")).to_be_visible()
    check()
    sign_in("olga")
    page.goto(HERE)
    expect(page.locator("#questions-heading")).to_be_visible()
    check()
    context.close()
