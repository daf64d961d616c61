"""Keys are printed on the buttons for who uses keys or asks for them; who points at things sees words alone."""

from collections.abc import Callable

from playwright.sync_api import Page, expect
from web_fake_platform import FakePlatform


def test_buttons_say_their_keys_once_a_key_was_used(
    sign_in: Callable[..., None], page: Page, fake: FakePlatform
) -> None:
    sign_in(f"/rounds/{fake.loop.round_id}/create")
    submit = page.get_by_role("button", name="Submit")
    page.locator("input[value=negative]").check(force=True)
    page.locator("#field-text").click()
    page.keyboard.type("A text, with capital letters and 12.")
    expect(submit.locator("kbd")).to_be_hidden()
    page.locator("#field-text").blur()
    page.keyboard.press("2")
    expect(submit.locator("kbd")).to_be_visible()
    page.reload()
    expect(submit.locator("kbd")).to_be_visible()


def test_keys_are_shown_by_the_tab_key(sign_in: Callable[..., None], page: Page, fake: FakePlatform) -> None:
    sign_in(f"/rounds/{fake.loop.round_id}/create")
    expect(page.locator("main kbd").first).to_be_hidden()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Submit").locator("kbd")).to_be_visible()


def test_keys_are_shown_after_the_list_and_not_when_they_are_switched_off(
    sign_in: Callable[..., None], page: Page, fake: FakePlatform
) -> None:
    sign_in(f"/rounds/{fake.loop.round_id}/create")
    cap = page.get_by_role("button", name="Submit").locator("kbd")
    page.get_by_role("link", name="Keys").click()
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog.locator("dd", has_text="choose a label")).to_be_visible()
    expect(dialog.locator("dt kbd").first).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(cap).to_be_visible()
    page.get_by_role("link", name="Keys").click()
    dialog.get_by_label("Single keys are on").uncheck()
    dialog.get_by_role("button", name="Close").click()
    expect(cap).to_be_hidden()
    page.keyboard.press("Tab")
    page.reload()
    expect(cap).to_be_hidden()
