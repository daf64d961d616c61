"""Every page in every mode: no finding of axe-core, nothing wider than the window, a silent console, and few bytes."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page
from web_addresses import pages_of
from web_chromium import OVERFLOW, violations
from web_fake_platform import PASSWORD, FakePlatform

pytestmark = pytest.mark.slow

COMPLAINTS = ("warning", "error")
MOST_REQUESTS, MOST_BYTES = 12, 150_000
SENT = """performance.getEntries().filter((each) => ["navigation", "resource"].includes(each.entryType))
  .map((each) => each.encodedBodySize)"""
OPEN_ALL = "document.querySelectorAll('main details').forEach((each) => { each.open = true; })"
IS_PART = "!document.documentElement.lang"
"""Marks answers that are a part of another page, which scripts put there."""


class Mode(NamedTuple):
    """A window, and what its reader prefers."""

    width: int
    height: int
    prefers: dict[str, Any]


MODES = {
    "desk": Mode(1280, 900, {}),
    "desk, dark": Mode(1280, 900, {"color_scheme": "dark"}),
    "desk, forced colours": Mode(1280, 900, {"forced_colors": "active"}),
    "phone": Mode(390, 844, {}),
    "phone, dark": Mode(390, 844, {"color_scheme": "dark"}),
    "desk at 400 %": Mode(320, 225, {}),
    "narrow phone": Mode(320, 568, {}),
}


@pytest.fixture(params=MODES)
def reading(request: pytest.FixtureRequest, browser: Browser, site: str) -> Iterator[tuple[Page, list[str]]]:
    """A page in a mode, and what its console says."""
    width, height, prefers = MODES[request.param]
    context = browser.new_context(
        base_url=site,
        viewport={"width": width, "height": height},
        bypass_csp=True,
        reduced_motion="reduce",
        **prefers,
    )
    page, said = context.new_page(), list[str]()
    page.on("console", lambda message: said.append(message.text) if message.type in COMPLAINTS else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page, said
    context.close()


def test_no_page_has_a_finding_in_any_mode(reading: tuple[Page, list[str]], fake: FakePlatform) -> None:
    page, said = reading
    fake.desk.notices.tell_everything(fake.loop.round_id)
    found: dict[str, list[str]] = {}

    def visit(path: str, name: str) -> None:
        answer = page.goto(path, wait_until="networkidle")
        if answer is None or "text/html" not in answer.headers["content-type"] or page.evaluate(IS_PART):
            return
        sent = page.evaluate(SENT)
        page.evaluate(OPEN_ALL)
        faults = violations(page)
        if (wider := page.evaluate(OVERFLOW)) > 0:
            faults.append(f"{wider} px wider than the window")
        if len(sent) > MOST_REQUESTS or sum(sent) > MOST_BYTES:
            faults.append(f"{len(sent)} requests, {sum(sent)} bytes")
        faults += [text for text in said if "Failed to load resource" not in text]
        said.clear()
        if faults:
            found[name] = faults

    for path in ("/", "/sign-in", "/sign-up", "/tasks/sentiment", "/nothing"):
        visit(path, f"{path}, signed out")
    page.goto("/sign-in")
    page.fill("[name=user_name]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    for rule, path in pages_of(fake).items():
        visit(path, rule)
    assert not found, "\n".join(f"{name}: {faults}" for name, faults in found.items())
