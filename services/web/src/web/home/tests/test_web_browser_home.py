"""The signed-in home in a browser: with four open tasks it fits two screens of a phone."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect
from web_chromium import OVERFLOW, PHONE, violations
from web_fake_figures import headline
from web_fake_platform import FakePlatform

HEIGHT = "document.documentElement.scrollHeight"
TASKS = {
    "sentiment": "Sentiment",
    "nli": "Natural language inference",
    "qa": "Question answering",
    "hate-speech": "Hate speech",
}


@pytest.fixture
def four_tasks(fake: FakePlatform, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the platform have four tasks with an open round and tries."""
    known = fake.loop.task("sentiment")
    now = fake.loop.rounds[fake.loop.round_id]
    found = []
    for slug, title in TASKS.items():
        round_id = fake.loop.round_id if slug == "sentiment" else str(uuid4())
        rounds = [{**now, "round_id": round_id, "task_slug": slug}]
        found.append({**known, "slug": slug, "title": title, "rounds": rounds})
        if slug != "sentiment":
            figures = {**headline(round_id, fake.figures), "task_slug": slug, "title": title}
            fake.more_headlines.append(figures)
    monkeypatch.setattr(fake.loop, "tasks", lambda: found)


@pytest.mark.long
@pytest.mark.usefixtures("four_tasks")
@pytest.mark.parametrize("width", [390, 320])
def test_home_with_four_open_tasks_fits_two_screens_of_a_phone(
    width: int, page: Page, sign_in: Callable[[str], None]
) -> None:
    page.set_viewport_size({"width": width, "height": PHONE["height"]})
    sign_in("/")
    expect(page.locator(".known-tasks .card")).to_have_count(len(TASKS))
    for name in ("Play", "Check"):
        expect(page.locator(".known-tasks").get_by_role("link", name=name)).to_have_count(len(TASKS))
    assert page.evaluate(OVERFLOW) <= 0
    assert violations(page) == []
    if width == PHONE["width"]:
        assert page.evaluate(HEIGHT) <= 2 * PHONE["height"]
