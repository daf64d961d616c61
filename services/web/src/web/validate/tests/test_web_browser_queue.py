"""Validating by keys, and an empty queue that looks again."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from web_fake_platform import FakePlatform
from web_fake_votes import WAITING

pytestmark = pytest.mark.slow


def test_validation_goes_by_keys(sign_in: Callable[[str], None], page: Page, fake: FakePlatform) -> None:
    sign_in(f"/rounds/{fake.loop.round_id}/validate")
    expect(page.locator(".example-text")).to_have_text(WAITING[0])
    page.keyboard.press("1")
    expect(page.locator("#answered-heading")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#reveal-heading")).to_be_focused()
    expect(page.locator("#reveal-heading")).to_contain_text("You and the author agree: negative.")
    page.keyboard.press("Enter")
    expect(page.locator(".example-text")).to_have_text(WAITING[1])
    assert fake.loop.judgements == {}
    page.keyboard.press("f")
    page.fill("[name=reason]", "13 times gibberish")
    page.click("text=Send the flag")
    expect(page.locator("#answered-heading")).to_contain_text("You flagged it.")
    page.keyboard.press("n")
    expect(page.locator("h2")).to_contain_text(["All done for now"])
    assert [ballot["kind"] for ballot in fake.loop.ballots] == ["label", "flag"]


def test_the_next_example_comes_without_a_new_page(
    sign_in: Callable[[str], None], page: Page, fake: FakePlatform
) -> None:
    sign_in(f"/rounds/{fake.loop.round_id}/validate")
    page.evaluate("window.isSamePage = true")
    page.keyboard.press("1")
    expect(page.locator("#answered-heading")).to_be_focused()
    page.keyboard.press("n")
    expect(page.locator(".example-text")).to_have_text(WAITING[1])
    expect(page.locator("#question")).to_be_focused()
    assert page.evaluate("window.isSamePage")


def test_skipping_goes_by_key(sign_in: Callable[[str], None], page: Page, fake: FakePlatform) -> None:
    sign_in(f"/rounds/{fake.loop.round_id}/validate")
    page.keyboard.press("s")
    expect(page.locator(".example-text")).to_have_text(WAITING[1])
    assert not fake.loop.ballots


def test_an_empty_queue_looks_again_by_itself(
    sign_in: Callable[[str], None], page: Page, fake: FakePlatform
) -> None:
    waiting = [entry.copy() for entry in fake.loop.queue]
    fake.loop.queue.clear()
    fake.loop.retry_after_seconds = 1
    sign_in(f"/rounds/{fake.loop.round_id}/validate")
    expect(page.locator("h2")).to_contain_text(["All done for now"])
    fake.loop.queue.extend(waiting)
    expect(page.locator(".example-text")).to_have_text(WAITING[0])
