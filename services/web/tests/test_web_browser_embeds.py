"""Cards of a round and of a board within a page of another website."""

import re
import threading
from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, expect
from web_chromium import OVERFLOW
from web_fake_platform import FakePlatform
from werkzeug import Request, Response
from werkzeug.serving import make_server

pytestmark = pytest.mark.slow

Publish = Callable[[str], str]
TALLER = "document.documentElement.scrollHeight - document.documentElement.clientHeight"
CARDS: dict[str, Callable[[FakePlatform], str]] = {
    "round": lambda fake: f"/rounds/{fake.loop.round_id}",
    "board": lambda _: "/tasks/sentiment/board",
}


@pytest.fixture
def publish() -> Iterator[Publish]:
    """Publish an article on another website; return its address."""
    article: list[str] = []

    @Request.application
    def app(_: Request) -> Response:
        return Response(f"<!doctype html><title>An article</title><main>{article[-1]}", mimetype="text/html")

    server = make_server("127.0.0.1", 0, app)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()

    def publish(html: str) -> str:
        article.append(html)
        return f"http://127.0.0.1:{server.server_port}/"

    yield publish
    server.shutdown()
    thread.join(timeout=5)
    server.server_close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", CARDS)
def test_the_code_of_a_page_shows_its_card_on_another_website(
    kind: str,
    theme: Literal["light", "dark"],
    browser: Browser,
    site: str,
    fake: FakePlatform,
    publish: Publish,
) -> None:
    context = browser.new_context(base_url=site, color_scheme=theme, viewport={"width": 390, "height": 844})
    page, complaints = context.new_page(), list[str]()
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(CARDS[kind](fake))
    code = page.locator("#round-embed, #board-frame").text_content() or ""
    framed = re.sub(r'src="https?://[^/"]+', f'src="{site}', code)
    page.goto(publish(framed))
    expect(page.frame_locator("iframe").locator("h1")).to_be_visible()
    frame = page.frames[1]
    assert page.evaluate(OVERFLOW) <= 0, "the frame is wider than a phone"
    assert frame.evaluate(OVERFLOW) <= 0, "the card is wider than its frame"
    assert frame.evaluate(TALLER) <= 0, "the card is taller than its frame"
    assert not complaints
    context.close()


def test_no_other_page_is_shown_on_another_website(
    browser: Browser, site: str, fake: FakePlatform, publish: Publish
) -> None:
    context = browser.new_context(base_url=site)
    page = context.new_page()
    html = "".join(f'<iframe src="{site}{address(fake)}"></iframe>' for address in CARDS.values())
    page.goto(publish(html), wait_until="networkidle")
    assert [frame.locator(".site-header").count() for frame in page.frames[1:]] == [0, 0]
    context.close()
