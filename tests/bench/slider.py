"""Time from a move of the board's slider until its rows are repainted, and until the server has confirmed them.

In a browser, by the page's own clock. The page moves the rows by itself and asks the server, whose answer brings the
places that hold for the whole board; each is measured until its frame is shown. The board is that of a task whose
served models have just been scored, so it is small: `boards` measures large ones.
"""

from collections.abc import Iterator
from uuid import uuid4

import numpy as np
from dynabench_common.testing import wait_until
from playwright.sync_api import sync_playwright

from tests.figures import Figure, at_most, plain
from tests.made_items import items, lines
from tests.own_platform import OwnPlatform, console

TASK, LABELS = "sentiment", ("negative", "neutral", "positive")
ITEMS, MOVES = 120, 40
PATIENCE_SECONDS = 300.0
BAR_MS = 100
MOVE = """
value => new Promise(resolve => {
  const slider = document.querySelector(".board-weights input[type=range]");
  let moved = null;
  const painted = (then) => requestAnimationFrame(() => setTimeout(() => then(performance.now() - began)));
  const watched = new MutationObserver(() => {
    if (moved === null) {
      moved = 0;
      painted((took) => { moved = took; });
    }
    if (document.querySelector("#board code").innerText === before) return;
    watched.disconnect();
    painted((took) => resolve([moved, took]));
  });
  const before = document.querySelector("#board code").innerText;
  watched.observe(document.body, {childList: true, subtree: true});
  const began = performance.now();
  slider.value = value;
  slider.dispatchEvent(new Event("input", {bubbles: true}));
})
"""


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Have models scored, open their board and move a slider."""
    made = items(LABELS, ITEMS, f"slider-{uuid4().hex[:6]}")
    platform.owner.evaluations.add_dataset(TASK, f"slider-{uuid4().hex[:6]}", lines(made))
    wait_until(lambda: _ranked(platform) > 1, PATIENCE_SECONDS, "models to be ranked")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{platform.url}/tasks/{TASK}/board")
        page.locator("#weights > summary").click()
        page.locator(".board-weights input[type=range]").first.wait_for()
        with page.expect_response("**/board/parts?*"):
            page.locator(".board-weights input[type=range]").first.focus()
        took = np.array([page.evaluate(MOVE, str(1 + number % 9)) for number in range(MOVES)][2:])
        browser.close()
    for what, seconds in (("to repaint", took[:, 0]), ("until the server confirms", took[:, 1])):
        p50, p95 = np.percentile(seconds, [50, 95])
        console.print(f"slider {what}: p50 {p50:.0f} ms, p95 {p95:.0f} ms of {len(took)} moves")
        yield plain(f"slider {what}, p50 of {len(took)}", float(p50), "ms")
        yield at_most(f"slider {what}, p95 of {len(took)}", float(p95), "ms", BAR_MS)


def _ranked(platform: OwnPlatform) -> int:
    return sum(row.rank is not None for row in platform.owner.leaderboard.model_board(TASK).rows)
