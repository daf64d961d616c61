"""A browser and people who use it."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from dynabench_client import Dynabench
from playwright.sync_api import Browser, Page

PASSWORD = "a-long-password-of-the-tests"


class Member:
    """A freshly registered annotator with the SDK and a page in the browser."""

    def __init__(self, url: str, page: Page) -> None:
        self.url = url
        self.page = page
        self.user_name = f"e2e-{uuid4().hex[:10]}"
        Dynabench(url).accounts.sign_up(self.user_name, f"{self.user_name}@demo.invalid", PASSWORD)
        self.client = Dynabench(url, user_name=self.user_name, password=PASSWORD)

    def sign_in(self) -> None:
        self.page.goto(f"{self.url}/sign-in")
        self.page.fill("input[name=user_name]", self.user_name)
        self.page.fill("input[name=password]", PASSWORD)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url(f"{self.url}/")

    def open(self, path: str) -> Page:
        self.page.goto(self.url + path)
        return self.page


@pytest.fixture
def new_member(browser: Browser, platform: Any) -> Iterator[Callable[..., Member]]:
    contexts = []

    def make(width: int = 1280, height: int = 900, javascript: bool = True) -> Member:
        context = browser.new_context(
            viewport={"width": width, "height": height}, java_script_enabled=javascript
        )
        contexts.append(context)
        return Member(platform.url, context.new_page())

    yield make
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def owner(platform: Any) -> Dynabench:
    olga = platform.sign_ins()["olga"]
    return Dynabench(platform.url, user_name="olga", password=olga["password"])


@pytest.fixture
def round_id(owner: Dynabench) -> str:
    """A round of one's own, so that tests don't see each other's examples."""
    made = owner.annotation.create_round(
        "sentiment", ["sentiment-minilm"], f"Round of a test {uuid4().hex[:6]}"
    )
    contexts = [
        {"fields": {"prompt": f"Prompt {number}: the soup came quickly."}, "tags": []} for number in range(8)
    ]
    owner.annotation.add_contexts(made.round_id, contexts)
    owner.annotation.set_round_state(made.round_id, "open")
    return made.round_id
