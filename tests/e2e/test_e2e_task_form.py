"""A task made by an owner who writes no YAML: template, form, round, contexts, and a first try in it."""

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from dynabench_client import Dynabench
from playwright.sync_api import Browser, FilePayload, Page, expect

pytestmark = pytest.mark.slow

OPEN = """field => {
  for (let each = field; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
}"""


def sign_in(page: Page, url: str, password: str) -> None:
    page.goto(f"{url}/sign-in")
    page.fill("input[name=user_name]", "admin")
    page.fill("input[name=password]", password)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{url}/")


def fill(page: Page, control: str, value: str) -> None:
    """Fill in a control of the form, after opening its sections."""
    field = page.locator(f"[name='{control}']")
    field.evaluate(OPEN)
    field.fill(value)
    field.blur()


def test_a_task_is_made_by_the_form_and_played(
    browser: Browser, platform: Any, admin: Dynabench, new_member: Callable[..., Any]
) -> None:
    slug = f"form-{uuid4().hex[:8]}"
    context = browser.new_context()
    page = context.new_page()
    sign_in(page, platform.url, platform.sign_ins()["admin"]["password"])
    page.goto(f"{platform.url}/tasks/new?from=empty")

    fill(page, "at/title", "Tones")
    fill(page, "at/slug", slug)
    fill(page, "at/input/1/labels", "friendly\nhostile")
    fill(page, "at/input/1/label", "What tone is it?")
    page.click("button[value='add:at/input']")
    expect(page.locator("[name='at/input/2/name']")).to_be_focused()
    page.click("button[value='remove:at/input/2']")
    expect(page.locator("[name='at/input/2/name']")).to_have_count(0)
    expect(page.locator("#configuration")).to_have_value(re.compile(rf"slug: {slug}\n"))
    expect(page.locator("#editor-status")).to_have_text("No problem found.")
    page.click("button[value=save].primary")
    page.wait_for_url(f"**/tasks/{slug}/manage?notice=task-created")
    configuration = admin.annotation.task(slug).configuration
    assert configuration["output"][0]["labels"] == ["friendly", "hostile"]

    page.click("button:has-text('Draft the round')")
    page.wait_for_url("**/rounds/*")
    (drafted,) = admin.annotation.task(slug).rounds
    page.goto(f"{platform.url}/tasks/{slug}/contexts")
    line = b'{"fields": {"prompt": "A letter came."}, "tags": []}\n'
    file: FilePayload = {"name": "a.jsonl", "mimeType": "application/x-ndjson", "buffer": line}
    page.set_input_files("[name=file]", [file])
    page.click("text=Add the contexts")
    expect(page.locator(".contexts")).to_contain_text("A letter came.")
    admin.annotation.set_round_state(drafted.round_id, "open")
    context.close()

    author = new_member()
    author.sign_in()
    writing = author.open(f"/rounds/{drafted.round_id}/create")
    writing.fill("[name='input.text']", "How kind of you to write again.")
    writing.check("[name='input.label'][value=friendly]", force=True)
    writing.click("#try-form button[value=submit]")
    expect(writing.locator("#verdict-heading")).to_be_visible()
    (example,) = author.client.annotation.examples(drafted.round_id).items
    assert example.claimed == "friendly"
