"""The editor in a browser, and what axe-core finds on the pages of owners."""

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Browser, FilePayload, Page, ViewportSize, expect
from web_chromium import DESK, OVERFLOW, PHONE, violations
from web_fake_platform import PASSWORD, FakePlatform

pytestmark = pytest.mark.slow

EDIT = "/tasks/sentiment/edit"


@pytest.fixture
def editing(sign_in: Callable[..., None], page: Page) -> Page:
    sign_in(EDIT, "olga")
    return page


def replace_in(page: Page, before: str, after: str) -> None:
    page.fill("#configuration", page.input_value("#configuration").replace(before, after))


@pytest.mark.parametrize(("size", "theme"), [(PHONE, "dark"), (DESK, "light")], ids=["phone", "desk"])
def test_no_page_of_owners_has_a_finding(
    size: ViewportSize, theme: Literal["light", "dark"], browser: Browser, site: str, fake: FakePlatform
) -> None:
    context = browser.new_context(
        base_url=site, viewport=size, color_scheme=theme, bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()
    text = fake.workshop.texts["sentiment"][0]
    fake.workshop.save("sentiment", text.replace("ensemble: any", "ensemble: all"))

    def check(name: str) -> None:
        assert violations(page) == [], name
        assert page.evaluate(OVERFLOW) <= 0, f"{name} is wider than the window"

    page.goto("/sign-in")
    page.fill("[name=user_name]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    page.wait_for_url("**/")
    contexts = f"/rounds/{fake.loop.round_id}/contexts"
    for path in (
        "/tasks/sentiment",
        "/tasks/nli",
        "/tasks/new",
        EDIT,
        "/tasks/sentiment/versions?from=1&to=2",
        "/tasks/sentiment/versions/1",
        contexts,
    ):
        page.goto(path)
        check(path)
    page.set_input_files("[name=file]", [_file(b"{}\n")])
    page.click("text=Add the contexts")
    page.wait_for_selector(".line-problems")
    check("a refused file")
    page.goto(EDIT)
    page.click("[data-view-of=text]")
    replace_in(page, "ensemble: all", "ensemble: broken")
    page.wait_for_selector("#editor-problems")
    check("a broken configuration")
    replace_in(page, "ensemble: broken", "ensemble: any")
    page.wait_for_selector(".editor-changes")
    check("changes")
    fake.loop.contexts.clear()
    page.goto(contexts)
    check("no contexts")
    context.close()


def test_the_preview_follows_the_text_and_stays_while_it_is_broken(editing: Page, fake: FakePlatform) -> None:
    preview = editing.locator("#editor-preview")
    expect(preview).to_contain_text("Your sentence")
    replace_in(editing, "Your sentence", "Your own words")
    expect(preview).to_contain_text("Your own words")
    expect(editing.locator("#editor-status")).to_contain_text("Version 2 changes")
    replace_in(editing, "ensemble: any", "ensemble: broken")
    expect(editing.locator("#editor-problems")).to_contain_text("Did you mean 'any'?")
    expect(preview).to_contain_text("Your own words")
    replace_in(editing, "ensemble: broken", "ensemble: all")
    expect(editing.locator(".editor-changes")).to_contain_text("ensemble")
    assert len(fake.workshop.texts["sentiment"]) == 1
    editing.click("text=Save as version 2")
    editing.wait_for_url("**/versions?notice=version-saved")
    assert "ensemble: all" in fake.workshop.texts["sentiment"][-1]


def test_a_problem_leads_the_cursor_to_its_place(editing: Page) -> None:
    text = editing.input_value("#configuration").replace("ensemble: any", "# 🙂 broken")
    editing.fill("#configuration", text)
    editing.click("#editor-problems a")
    expect(editing.locator("#configuration")).to_be_focused()
    start = editing.evaluate("document.activeElement.selectionStart")
    units = len(text[: text.index("broken")].encode("utf-16-le")) // 2
    assert start == units


def test_lines_are_numbered_and_stay_level_with_the_text(editing: Page) -> None:
    lines = "\n".join(f"# line {number}" for number in range(1, 201))
    editing.fill("#configuration", lines)
    gutter = editing.locator(".editor-lines")
    assert (gutter.text_content() or "").split("\n")[-1] == "200"
    editing.locator("#configuration").evaluate("field => { field.scrollTop = 900; }")
    expect(gutter).to_have_js_property("scrollTop", 900)


def test_tab_leaves_the_text(editing: Page) -> None:
    before = editing.input_value("#configuration")
    editing.focus("#configuration")
    editing.keyboard.press("Tab")
    expect(editing.locator("#configuration")).not_to_be_focused()
    assert editing.input_value("#configuration") == before


def test_a_text_that_was_not_saved_comes_back_checked(editing: Page) -> None:
    replace_in(editing, "ensemble: any", "ensemble: broken")
    expect(editing.locator("[data-draft-status]").first).to_have_text("draft saved")
    editing.reload()
    expect(editing.locator("#editor-problems")).to_be_visible()
    assert "ensemble: broken" in editing.input_value("#configuration")


def test_nothing_in_the_preview_takes_the_focus(editing: Page) -> None:
    assert editing.locator("#editor-preview :is(input, textarea, button):enabled").count() == 0


def _file(content: bytes) -> FilePayload:
    return {"name": "contexts.jsonl", "mimeType": "application/x-ndjson", "buffer": content}
