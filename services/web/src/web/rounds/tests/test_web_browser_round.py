"""Figures of a round that look again by themselves."""

import pytest
from playwright.sync_api import Page, expect
from web_fake_platform import FakePlatform

pytestmark = pytest.mark.slow


def test_figures_look_again_and_keep_open_what_was_opened(page: Page, fake: FakePlatform) -> None:
    page.goto(f"/rounds/{fake.loop.round_id}")
    page.click("#chart-funnel-data summary")
    expect(page.locator("#chart-funnel-data table")).to_be_visible()
    page.click("#tries-of-the-round summary")
    fake.figures["outcomes"]["not_fooled"] += 4321 - 1204
    expect(page.locator("#tries-of-the-round summary")).to_contain_text("4,321")
    expect(page.locator("#tries-of-the-round dl")).to_be_visible()
    expect(page.locator("#figures-summary")).to_contain_text("4,321")
    expect(page.locator("#chart-funnel-data table")).to_be_visible()


def test_unchanged_figures_are_not_put_in_again(page: Page, fake: FakePlatform) -> None:
    page.goto(f"/rounds/{fake.loop.round_id}")
    with page.expect_response(lambda r: r.url.endswith("/figures") and r.status == 200):
        pass
    with page.expect_response(lambda r: r.url.endswith("/figures") and r.status == 304):
        pass
