"""On a phone as on a desk: the verdict is in sight, letters in charts can be read, wide tables say that they scroll."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect
from web_chromium import DESK, PHONE
from web_fake_platform import FakePlatform

pytestmark = pytest.mark.slow

LETTERS = """charts => charts.flatMap(chart => [...chart.querySelectorAll("text")].map(
  text => [text.textContent, parseFloat(getComputedStyle(text).fontSize) * chart.getScreenCTM().a]))"""
COVERED = """element => {
  const box = element.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + 4, box.y + box.height / 2);
  return !element.contains(top);
}"""


@pytest.mark.parametrize(
    "size", [PHONE, DESK, {"width": 768, "height": 900}], ids=["phone", "desk", "tablet"]
)
def test_letters_in_charts_are_at_least_12_px_high(
    size: ViewportSize, sign_in: Callable[..., None], page: Page, fake: FakePlatform
) -> None:
    page.set_viewport_size(size)
    sign_in(f"/rounds/{fake.loop.round_id}", "olga")
    expect(page.locator("svg.chart").first).to_be_visible()
    letters = page.locator("svg.chart").evaluate_all(LETTERS)
    assert len(letters) > 10
    assert [each for each in letters if each[1] < 11.95] == []


def test_the_verdict_is_brought_into_sight_and_nothing_covers_it(
    sign_in: Callable[..., None], page: Page, fake: FakePlatform
) -> None:
    page.set_viewport_size({"width": 390, "height": 420})  # what the keyboard leaves of a phone
    fake.loop.contexts[0]["fields"]["prompt"] = "A long evening at the sea, told at length. " * 12
    sign_in(f"/rounds/{fake.loop.round_id}/create")
    page.locator("input[value=negative]").check(force=True)
    page.fill("#field-text", "Such a great choice that my dog got most of it.")
    page.get_by_role("button", name="Submit").click()
    heading = page.locator("#verdict-heading")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport(ratio=1)
    for answer in page.locator(".verdict .answer .target").all():
        expect(answer).to_be_in_viewport(ratio=1)
        assert not answer.evaluate(COVERED)


def test_a_table_wider_than_its_place_says_that_it_scrolls(
    sign_in: Callable[..., None], page: Page, fake: FakePlatform
) -> None:
    page.set_viewport_size(PHONE)
    sign_in("/tasks/sentiment/rounds/3/standing?view=votes", "olga")
    # Inside the part that scrolls: outside, it would take a cell in a grid of tables.
    expect(page.locator(".table-scroll > .scroll-hint").first).to_be_visible()
    page.set_viewport_size({"width": 1400, "height": 900})
    expect(page.locator(".scroll-hint").first).to_be_hidden()


def test_rows_of_a_table_are_cards_on_a_phone_and_still_a_table_for_screen_readers(
    sign_in: Callable[..., None], page: Page
) -> None:
    page.set_viewport_size(PHONE)
    sign_in("/rounds", "olga")
    row = page.get_by_role("table").get_by_role("row").nth(1)
    expect(row.get_by_role("rowheader")).to_be_visible()
    tries = row.get_by_role("cell").nth(2)
    expect(tries).to_have_attribute("data-label", "Tries")
    assert tries.evaluate("cell => getComputedStyle(cell, '::before').content").startswith('"Tries')
    expect(page.get_by_role("columnheader", name="Tries")).to_be_attached()
    expect(page.locator(".scroll-hint").first).to_be_hidden()


@pytest.mark.parametrize("user_name", ["", "ada", "olga"])
def test_the_menu_leads_to_models_on_a_phone(
    user_name: str, sign_in: Callable[..., None], page: Page
) -> None:
    page.set_viewport_size(PHONE)
    if user_name:
        sign_in("/datasets", user_name)
    else:
        page.goto("/datasets")
    page.locator("#site-menu > summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("navigation", name="Site").get_by_role("link", name="Models").click()
    expect(page.locator("h1")).to_have_text("Models")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
