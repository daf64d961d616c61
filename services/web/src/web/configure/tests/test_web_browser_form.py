"""The form and the text of a configuration, each following the other, in a browser."""

import re
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from web_chromium import DESK, OVERFLOW, PHONE, violations
from web_fake_platform import PASSWORD, FakePlatform
from web_yaml import said

pytestmark = pytest.mark.slow

EDIT = "/tasks/sentiment/edit"
NEW = "/tasks/new?from=empty"
IN_STEP = """() => {
  const [answer, asked] = [document.querySelector("[data-synced]"), document.querySelector("[name=sequence]")];
  return answer.dataset.sequence === asked.value;
}"""
OPEN_ALL = "document.querySelectorAll('#guided-form details').forEach(each => { each.open = true; })"


@pytest.fixture
def making(sign_in: Callable[..., None], page: Page) -> Page:
    sign_in(NEW, "olga")
    return page


def text_of(page: Page) -> str:
    return page.input_value("#configuration")


def type_into(page: Page, control: str, value: str) -> None:
    page.evaluate(OPEN_ALL)
    page.fill(f"[name='{control}']", value)


def test_what_is_typed_in_the_form_stands_in_the_text(making: Page) -> None:
    before = text_of(making)
    type_into(making, "at/title", "Irony: a test")
    changed = before.replace("title: My task", "title: 'Irony: a test'")
    expect(making.locator("#configuration")).to_have_value(
        changed.replace("slug: my-task", "slug: irony-a-test")
    )
    expect(making.locator("[name='at/slug']")).to_have_value("irony-a-test")
    expect(making.locator("[name='at/title']")).to_be_focused()


def test_what_is_typed_in_the_text_stands_in_the_form_and_changes_nothing_else(making: Page) -> None:
    changed = "# Mine.\n" + text_of(making).replace("title: My task", "title: Irony") + "# End.\n"
    making.fill("#configuration", changed)
    expect(making.locator("[name='at/title']")).to_have_value("Irony")
    assert text_of(making) == changed
    expect(making.locator("[data-undo]")).to_be_hidden()
    without_name = changed.replace("name: prompt", "type_of: prompt")
    making.fill("#configuration", without_name)
    expect(making.locator("[name='at/context/0/name']")).to_have_value("")
    assert text_of(making) == without_name


def test_a_whole_task_is_made_by_the_form_alone(making: Page, fake: FakePlatform) -> None:
    type_into(making, "at/title", "Tones")
    type_into(making, "at/slug", "tones")
    type_into(making, "at/input/1/labels", "friendly\nhostile")
    making.press("[name='at/input/1/label']", "Control+a")
    making.keyboard.type("What tone is it?")
    making.click("button[value='add:at/input/1/meanings']")
    type_into(making, "at/input/1/meanings/%400/words", "Meant well.")
    making.click("button[value='add:at/worked_examples']")
    type_into(making, "at/worked_examples/0/input/text", "Thank you so much.")
    making.select_option("[name='at/worked_examples/0/input/label']", "hostile")
    type_into(making, "at/worked_examples/0/why", "It is ironic.")
    making.select_option("[name='at/ensemble']", "at_least")
    expect(making.locator("[name='at/ensemble/at_least']")).to_have_value("1")
    type_into(making, "at/ensemble/at_least", "2")
    type_into(making, "at/quotas/tries_per_person", "20")
    type_into(making, "at/tips", "Be dry.\nBe brief.")
    expect(making.locator("#configuration")).to_have_value(re.compile("Be brief"))
    expect(making.locator("#editor-preview")).to_contain_text("What tone is it?")
    making.locator("[name='at/tips']").blur()
    making.wait_for_function(IN_STEP)
    making.click("text=Create the task")
    making.wait_for_url("**/tasks/tones/manage?notice=task-created")
    made = said(fake.workshop.texts["tones"][0])
    assert made["input"][1] == {
        "name": "label",
        "type": "multiclass",
        "label": "What tone is it?",
        "labels": ["friendly", "hostile"],
        "meanings": {"friendly": {"words": "Meant well."}},
    }
    assert made["output"][0]["labels"] == ["friendly", "hostile"]
    assert made["worked_examples"][0]["input"] == {"text": "Thank you so much.", "label": "hostile"}
    assert (made["ensemble"], made["quotas"]) == ({"at_least": 2}, {"tries_per_person": 20})
    assert made["tips"] == ["Be dry.", "Be brief."]


def test_entries_are_added_moved_and_removed_by_keyboard(making: Page) -> None:
    making.focus("button[value='add:at/input']")
    making.keyboard.press("Enter")
    expect(making.locator("[name='at/input/2/name']")).to_be_focused()
    making.keyboard.press("Control+a")
    making.keyboard.type("where")
    expect(making.locator("#configuration")).to_have_value(re.compile("- name: where"))
    making.focus("button[value='up:at/input/2']")
    making.keyboard.press("Enter")
    expect(making.locator("[name='at/input/1/name']")).to_have_value("where")
    making.evaluate(OPEN_ALL)
    making.click("button[value='remove:at/input/1']")
    expect(making.locator("[name='at/input/2/name']")).to_have_count(0)
    assert [each["name"] for each in said(text_of(making))["input"]] == ["text", "label"]


def test_another_kind_of_field_has_other_settings(making: Page) -> None:
    making.evaluate(OPEN_ALL)
    making.focus("[name='at/input/0/type']")
    making.select_option("[name='at/input/0/type']", "span")
    expect(making.locator("[name='at/input/0/of']")).to_be_visible()
    expect(making.locator("[name='at/input/0/max_length']")).to_have_count(0)
    expect(making.locator("[name='at/input/0/type']")).to_be_focused()


def test_what_the_form_did_is_undone_step_by_step(making: Page) -> None:
    before = text_of(making)
    type_into(making, "at/title", "One")
    expect(making.locator("#configuration")).to_have_value(re.compile("title: One"))
    making.click("button[value='add:at/context']")
    expect(making.locator("[name='at/context/1/name']")).to_have_count(1)
    making.click("[data-undo]")
    expect(making.locator("[name='at/context/1/name']")).to_have_count(0)
    making.click("[data-undo]")
    expect(making.locator("[name='at/title']")).to_have_value("My task")
    assert text_of(making) == before
    expect(making.locator("[data-undo]")).to_be_hidden()


def test_what_was_typed_into_the_text_is_not_undone_with_the_form(making: Page) -> None:
    type_into(making, "at/title", "One")
    expect(making.locator("[data-undo]")).to_be_visible()
    making.fill("#configuration", text_of(making) + "# Mine.\n")
    expect(making.locator("[data-undo]")).to_be_hidden()


def test_a_mistake_leads_to_its_field(sign_in: Callable[..., None], page: Page) -> None:
    sign_in(EDIT, "olga")
    page.fill("#configuration", text_of(page).replace("ensemble: any", "ensemble: broken"))
    page.click("#form-mistakes a")
    expect(page.locator("[name='at/ensemble']")).to_be_focused()
    expect(page.locator("[name='at/ensemble']")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#problem-at-ensemble")).to_contain_text("Did you mean 'any'?")
    page.select_option("[name='at/ensemble']", "all")
    expect(page.locator("#problem-at-ensemble")).to_be_empty()
    assert said(text_of(page))["ensemble"] == "all"


def test_the_form_waits_while_the_text_can_not_be_read(making: Page) -> None:
    type_into(making, "at/title", "Kept")
    expect(making.locator("#configuration")).to_have_value(re.compile("title: Kept"))
    good = text_of(making)
    making.fill("#configuration", "slug: [a\n" + good)
    expect(making.locator("#form-waits")).to_contain_text("The YAML can't be read")
    expect(making.locator("[name='at/title']")).to_be_disabled()
    expect(making.locator("[name='at/title']")).to_have_value("Kept")
    making.fill("#configuration", good)
    expect(making.locator("[name='at/title']")).to_be_enabled()
    expect(making.locator("#form-waits")).to_be_hidden()


def test_a_draft_of_the_form_comes_back_with_its_text(making: Page) -> None:
    type_into(making, "at/title", "Not saved")
    expect(making.locator("#configuration")).to_have_value(re.compile("title: Not saved"))
    expect(making.locator("[data-draft-status]").first).to_have_text("draft saved")
    making.wait_for_function("() => Object.values(localStorage).some(held => held.includes('Not saved'))")
    making.reload()
    expect(making.locator("[name='at/title']")).to_have_value("Not saved")
    making.goto("/tasks/new?from=questions")
    expect(making.locator("[name='at/title']")).to_have_value("Questions on a passage")


def test_guidelines_are_shown_while_they_are_written(sign_in: Callable[..., None], page: Page) -> None:
    sign_in("/tasks/sentiment/guidelines", "olga")
    page.fill("#guidelines", "Be **kind**.")
    expect(page.locator("#guidelines-shown strong")).to_have_text("kind")


@pytest.mark.parametrize(("size", "theme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
def test_the_pages_of_a_setup_fit_and_have_no_finding(
    size: ViewportSize, theme: Literal["light", "dark"], browser: Browser, site: str, fake: FakePlatform
) -> None:
    context = browser.new_context(
        base_url=site, viewport=size, color_scheme=theme, bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()

    def check(name: str) -> None:
        assert violations(page) == [], name
        assert page.evaluate(OVERFLOW) <= 0, f"{name} is wider than the window"

    page.goto("/sign-in")
    page.fill("[name=user_name]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    page.wait_for_url("**/")
    for path in (
        "/tasks/new?from=questions",
        "/tasks/new?task=sentiment",
        "/tasks/sentiment/guidelines",
        EDIT,
    ):
        page.goto(path)
        page.evaluate(OPEN_ALL)
        check(path)
    is_phone = size == PHONE
    for view in ("form", "text", "preview") if is_phone else ("text", "preview"):
        page.click(f"[data-view-of={view}]")
        seen = [page.locator(each).is_visible() for each in (".form-pane", ".text-pane", ".preview")]
        assert seen == [view == "form" or not is_phone, view == "text", view == "preview"]
        check(view)
    page.click("[data-view-of=text]")
    page.fill("#configuration", "title: [5]\n" + text_of(page).replace("ensemble: any", "ensemble: broken"))
    page.wait_for_selector("#editor-problems")
    if is_phone:
        page.click("[data-view-of=form]")
    page.wait_for_selector("#form-mistakes a")
    page.evaluate(OPEN_ALL)
    check("mistakes")
    fake.loop.rounds.clear()
    page.goto("/tasks/sentiment/contexts")
    check("no round")
    context.close()


def test_form_and_text_are_sent_without_scripts(browser: Browser, site: str, fake: FakePlatform) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/sign-in")
    page.fill("[name=user_name]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    page.goto(NEW)
    page.fill("[name='at/title']", "Plain")
    page.fill("[name='at/slug']", "plain")
    page.click(".form-pane button[value=apply]")
    assert "title: Plain" in text_of(page)
    page.click("text=Add a field")
    assert [each["name"] for each in said(text_of(page))["input"]] == ["text", "label", "field_3"]
    page.fill("[name='at/description']", "By form.")
    page.click("text=Create the task")
    page.wait_for_url("**/tasks/plain/manage?notice=task-created")
    assert said(fake.workshop.texts["plain"][0])["description"] == "By form."
    context.close()
