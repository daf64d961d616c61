"""Pages over the fake platform: in process for plain forms, served for a browser, and Chromium on them."""

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from werkzeug.serving import make_server

sys.path.insert(0, str(Path(__file__).parent / "tests"))
sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from web_chromium import DESK, intercept_from_the_start
from web_fake_platform import PASSWORD, FakePlatform
from web_visiting import Visitor, pages_over, shared_pages


@pytest.fixture
def fake() -> Iterator[FakePlatform]:
    started = FakePlatform()
    started.start()
    yield started
    started.stop()
    told = "\n".join(f"{path}: {texts}" for path, texts in started.forgotten.items())
    assert not told, f"Words that come from no catalogue (docs/extend/text.md):\n{told}"
    assert started.breaches == [], (
        "what the fake platform was asked or answered is not what the services publish"
    )


@pytest.fixture
def visitor(fake: FakePlatform) -> Visitor:
    return Visitor(shared_pages(fake).test_client())


@pytest.fixture
def ada(visitor: Visitor) -> Visitor:
    visitor.sign_in("ada")
    return visitor


@pytest.fixture
def site(fake: FakePlatform) -> Iterator[str]:
    """Serve the pages and return their origin."""
    app = pages_over(fake, "http://127.0.0.1")
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join(timeout=5)
    server.server_close()


@pytest.fixture
def context(browser: Browser, site: str) -> Iterator[BrowserContext]:
    made = browser.new_context(base_url=site, viewport=DESK)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page whose console must stay silent: the policy is broken by nothing, nor does a script fail."""
    complaints: list[str] = []
    made = context.new_page()
    made.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    made.on("pageerror", lambda error: complaints.append(str(error)))
    yield made
    assert [text for text in complaints if "Failed to load resource" not in text] == []


@pytest.fixture
def intercepted(page: Page) -> None:
    intercept_from_the_start(page)


@pytest.fixture
def sign_in(page: Page, fake: FakePlatform) -> Callable[[str], None]:
    """Sign a person in and open a page; the page of signing in has tests of its own."""

    def sign_in(path: str, user_name: str = "ada") -> None:
        answer = page.request.post(
            "/sign-in",
            form={"user_name": user_name, "password": PASSWORD},
            headers={"Sec-Fetch-Site": "same-origin"},
            max_redirects=0,
        )
        assert answer.status == 303
        page.goto(path)

    return sign_in


@pytest.fixture
def creating(sign_in: Callable[[str], None], page: Page, fake: FakePlatform) -> Page:
    sign_in(f"/rounds/{fake.loop.round_id}/create")
    return page
