"""The board in a browser: moves since the last visit, and nothing that does not fit or can't be reached."""

import pytest
import web_fake_model_board as boards
from playwright.sync_api import Browser, Page, ViewportSize, expect
from web_chromium import DESK, PHONE, violations

BOARD = "/tasks/sentiment/board"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
MOVE = "[data-board-row='{}'] [data-board-move]"


def test_moves_since_the_last_visit_are_told_from_what_this_browser_kept(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.goto(BOARD)
    expect(page.locator("[data-board-move]:visible")).to_have_count(0)
    found = boards.model_board

    def moved() -> dict[str, object]:
        told = found()
        first, second, third, fourth, *rest = told["rows"]
        rows = [second, first, third, fourth, *rest]
        for place, row in enumerate(rows[:4], start=1):
            row["rank"] = place
        return {**told, "digest": "another", "rows": rows}

    monkeypatch.setattr(boards, "model_board", moved)
    for _ in range(2):
        page.goto(BOARD)
        expect(page.locator(MOVE.format("deberta-mix-v1"))).to_contain_text("up from place 2")
        expect(page.locator(MOVE.format("deberta-mix-v1"))).to_contain_text("may be chance")
        expect(page.locator(MOVE.format("roberta-adv-v2"))).to_contain_text("down from place 1")
    page.goto(f"{BOARD}?w_performance=1")
    expect(page.locator("[data-board-move]:visible")).to_have_count(0)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("path", [BOARD, f"{BOARD}/snapshots/{boards.SNAPSHOT_ID}", f"{BOARD}/widget"])
def test_the_board_fits_and_can_be_reached(
    path: str, size: ViewportSize, browser: Browser, site: str
) -> None:
    context = browser.new_context(base_url=site, viewport=size)
    page = context.new_page()
    page.goto(path)
    assert page.evaluate(OVERFLOW) <= 0
    if not path.endswith("widget"):
        assert violations(page) == []

    context.close()
