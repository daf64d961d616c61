"""The board in a browser: moves since the last visit, and nothing that does not fit or can't be reached."""

import pytest
import web_fake_model_board as boards
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect
from web_chromium import DESK, OVERFLOW, PHONE, violations

BOARD = "/tasks/sentiment/board"
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


@pytest.mark.usefixtures("intercepted")
@pytest.mark.parametrize("are_parts_late", [False, True], ids=["parts first", "weights first"])
def test_rows_move_with_the_weight_before_the_server_confirms(page: Page, are_parts_late: bool) -> None:
    """The answer is held back: the rows have moved meanwhile, and are confirmed once it comes."""
    late: list[Route] = []
    page.route("**/board/parts?*", lambda route: late.append(route) if are_parts_late else route.continue_())
    page.goto(BOARD)
    names = page.locator("[data-board-row]")
    page.locator("#weights > summary").click()
    with page.expect_request("**/board/parts?*"):
        page.locator("#w-throughput").focus()
    held: list[Route] = []
    is_free: list[bool] = []

    def hold(route: Route) -> None:
        route.continue_() if is_free else held.append(route)

    page.route("**/tasks/sentiment/board?*", hold)
    page.locator("#w-performance").fill("1")
    page.locator("#w-throughput").fill("9")
    for each in late:
        each.continue_()
    expect(names.first).to_have_attribute("data-board-row", "deberta-mix-v1")
    expect(names.first.locator("[data-board-score]")).to_have_text("9.8")
    expect(names.first.locator("[data-board-interval]")).to_have_text("(9.6–10.0)")
    expect(names.last.locator("[data-board-score]")).to_have_text("–")
    expect(page.locator("#board")).to_have_attribute("aria-busy", "true")
    is_free.append(True)
    for each in held:
        each.continue_()
    expect(page.locator("#board[aria-busy]")).to_have_count(0)
    expect(names.first).to_have_attribute("data-board-row", "roberta-adv-v2")
    expect(page.locator("#board-more")).to_have_count(1)
    expect(page.locator("#weights")).to_have_attribute("open", "")
