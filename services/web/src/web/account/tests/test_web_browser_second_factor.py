"""A second factor in a browser: set up from its drawing, asked for at sign-in, alike without scripts."""

import re

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from web_chromium import DESK, OVERFLOW, PHONE, violations
from web_fake_access import CODE, SECRET
from web_fake_platform import PASSWORD, FakePlatform


@pytest.mark.long
@pytest.mark.parametrize("with_scripts", [True, False], ids=["scripts", "no-scripts"])
def test_a_second_factor_is_set_up_and_asked_for(
    with_scripts: bool, browser: Browser, site: str, fake: FakePlatform
) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=with_scripts)
    page = context.new_page()
    sign_in(page)
    page.goto("/account")
    page.get_by_role("link", name="Set up a second factor").click()
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Set up the second factor").click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    expect(page.locator("#app-secret")).to_have_text(SECRET)
    page.locator("main [name=code]").fill(CODE)
    page.get_by_role("button", name="Turn on the second factor").click()
    expect(page.locator("#recovery-codes li")).to_have_count(10)
    page.get_by_role("link", name="I have kept the codes").click()
    page.get_by_role("button", name="Sign out", exact=True).first.click()
    sign_in(page)
    expect(page.get_by_role("heading", name="Code of your app")).to_be_visible()
    page.locator("main [name=code]").fill("000000")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("Wrong code")
    page.locator("main [name=code]").fill(CODE)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name="ada")).to_have_count(1)
    context.close()


@pytest.mark.long
@pytest.mark.parametrize(("size", "theme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
def test_none_of_its_pages_has_a_finding(
    size: ViewportSize, theme: str, browser: Browser, site: str, fake: FakePlatform
) -> None:
    context = browser.new_context(base_url=site, viewport=size, color_scheme=theme, bypass_csp=True)  # type: ignore[arg-type]
    page = context.new_page()

    def check(name: str) -> None:
        for summary in page.locator("main summary").all():
            summary.click()
        assert violations(page) == [], name
        assert page.evaluate(OVERFLOW) <= 0, f"{name} is wider than the window"

    sign_in(page)
    page.goto("/account/second-factor")
    check("off")
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Set up the second factor").click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    check("set-up")
    page.locator("main [name=code]").fill(CODE)
    page.get_by_role("button", name="Turn on the second factor").click()
    expect(page.locator("#recovery-codes li")).to_have_count(10)
    check("codes")
    page.goto("/account/second-factor")
    check("on")
    page.goto("/account")
    check("account")
    context.clear_cookies()
    sign_in(page)
    expect(page.get_by_role("heading", name="Code of your app")).to_be_visible()
    check("sign-in")
    context.close()


def sign_in(page: Page) -> None:
    page.goto("/sign-in")
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(re.compile(r"/(sign-in)?$"))
