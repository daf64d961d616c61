"""How long after a slider of the board moves its ranks are painted anew: in a browser, by the page's own clock.

Each move asks the server, which ranks anew; what is measured ends with the frame that shows the answer. The board is
that of a task whose served models have just been scored, so it is small: `boards` measures large ones.
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
  const watched = new MutationObserver(() => {
    if (document.querySelector("#board code").innerText === before) return;
    watched.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
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
        page.locator(".board-weights input[type=range]").first.wait_for()
        took = [float(page.evaluate(MOVE, str(1 + number % 9))) for number in range(MOVES)][2:]
        browser.close()
    p50, p95 = np.percentile(took, [50, 95])
    console.print(f"slider to repaint: p50 {p50:.0f} ms, p95 {p95:.0f} ms of {len(took)} moves")
    yield plain("slider to repaint, p50", float(p50), "ms")
    yield at_most("slider to repaint, p95", float(p95), "ms", BAR_MS)


def _ranked(platform: OwnPlatform) -> int:
    return sum(row.rank is not None for row in platform.owner.leaderboard.model_board(TASK).rows)
