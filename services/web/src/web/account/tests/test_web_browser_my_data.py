"""Download of one's own data, and deletion of one's account, in a browser."""

import re
import zipfile

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from web_chromium import DESK, OVERFLOW, PHONE, violations
from web_fake_platform import PASSWORD, FakePlatform


@pytest.mark.long
@pytest.mark.parametrize("with_scripts", [True, False], ids=["scripts", "no-scripts"])
def test_a_person_downloads_the_data_and_deletes_the_account(
    with_scripts: bool, browser: Browser, site: str, fake: FakePlatform
) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=with_scripts)
    page = context.new_page()
    sign_in(page)
    page.goto("/account")
    page.get_by_role("link", name="Delete the account").click()
    with page.expect_download() as started:
        page.get_by_role("link", name="Download your data first").click()
    with zipfile.ZipFile(started.value.path()) as packed:
        assert "accounts.jsonl" in packed.namelist()
    expect(page.get_by_text("your names were never in them")).to_be_visible()
    page.get_by_label("Withdraw my texts").check()
    page.get_by_label("Current password").fill("wrong")
    page.get_by_role("button", name="Yes, delete my account").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("Withdraw my texts")).to_be_checked()
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Yes, delete my account").click()
    expect(page.get_by_text("Your account is deleted.")).to_be_visible()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    assert fake.desk.access.deleted == {"ada": True}
    context.close()


@pytest.mark.long
@pytest.mark.parametrize(("size", "theme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
def test_the_page_has_no_finding(size: ViewportSize, theme: str, browser: Browser, site: str) -> None:
    context = browser.new_context(base_url=site, viewport=size, color_scheme=theme, bypass_csp=True)  # type: ignore[arg-type]
    page = context.new_page()
    sign_in(page)
    page.goto("/account/deletion")
    assert violations(page) == []
    assert page.evaluate(OVERFLOW) <= 0
    context.close()


def sign_in(page: Page) -> None:
    page.goto("/sign-in")
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(re.compile(r":\d+/$"))
