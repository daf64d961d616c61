"""Single keys: when buttons print them, what a key means on each layout, and that no script depends on another."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from web_fake_platform import PASSWORD, FakePlatform

pytestmark = pytest.mark.slow


def test_buttons_say_their_keys_once_a_key_was_used(
    sign_in: Callable[..., None], page: Page, fake: FakePlatform
) -> None:
    sign_in(f"/rounds/{fake.loop.round_id}/create")
    submit = page.get_by_role("button", name="Submit")
    page.locator("input[value=negative]").check(force=True)
    page.locator("#field-text").click()
    page.keyboard.type("A text, with capital letters and 12.")
    expect(submit.locator("kbd")).to_be_hidden()
    page.locator("#field-text").blur()
    page.keyboard.press("2")
    expect(submit.locator("kbd")).to_be_visible()
    page.reload()
    expect(submit.locator("kbd")).to_be_visible()


def test_keys_are_shown_by_the_tab_key(sign_in: Callable[..., None], page: Page, fake: FakePlatform) -> None:
    sign_in(f"/rounds/{fake.loop.round_id}/create")
    expect(page.locator("main kbd").first).to_be_hidden()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Submit").locator("kbd")).to_be_visible()


def test_keys_are_shown_after_the_list_and_not_when_they_are_switched_off(
    sign_in: Callable[..., None], page: Page, fake: FakePlatform
) -> None:
    sign_in(f"/rounds/{fake.loop.round_id}/create")
    cap = page.get_by_role("button", name="Submit").locator("kbd")
    page.get_by_role("link", name="Keys").click()
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog.locator("dd", has_text="choose a label")).to_be_visible()
    expect(dialog.locator("dt kbd").first).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(cap).to_be_visible()
    page.get_by_role("link", name="Keys").click()
    dialog.get_by_label("Single keys are on").uncheck()
    dialog.get_by_role("button", name="Close").click()
    expect(cap).to_be_hidden()
    page.keyboard.press("Tab")
    page.reload()
    expect(cap).to_be_hidden()


# What other layouts and input methods report for the key that stands for `2`, or for `g`, on a Latin keyboard.
STROKES: list[tuple[str, str, str, dict[str, object], str]] = [
    ("Arabic digit", "٢", "Digit2", {}, "2"),
    ("Arabic digit without a place on the keyboard", "٢", "", {}, "2"),
    ("Devanagari digit", "२", "Digit2", {}, "2"),
    ("full-width digit", "２", "Digit2", {}, "2"),
    ("French keyboard without Shift", "é", "Digit2", {}, "2"),
    ("French keyboard with Shift", "2", "Digit2", {"shiftKey": True}, "2"),
    ("Czech keyboard", "ě", "Digit2", {}, "2"),
    ("digits beside the letters", "2", "Numpad2", {}, "2"),
    ("Russian letter", "п", "KeyG", {}, "g"),
    ("Greek capital", "Γ", "KeyG", {"shiftKey": True}, "g"),
    ("Dvorak: the letter counts, not its place", "g", "KeyU", {}, "g"),
    ("British pound sign", "£", "Digit3", {"shiftKey": True}, "£"),
    ("Spanish letter that no Latin key has", "ñ", "Semicolon", {}, "ñ"),
    ("dead key", "Dead", "KeyG", {}, "Dead"),
    ("no key at all, as autofill reports it", "", "", {}, ""),
    ("key held down", "2", "Digit2", {"repeat": True}, ""),
    ("end of a composition in Safari", "2", "Digit2", {"keyCode": 229}, ""),
]


# Buttons that carry the keys, and which of them a stroke presses.
PRESSED = """strokes => {
  const pressed = [];
  for (const key of ["2", "g", "£", "ñ", "3", "Dead"]) {
    const button = document.createElement("button");
    button.dataset.key = key;
    button.textContent = key;
    button.addEventListener("click", () => pressed.push(key));
    document.getElementById("main").append(button);
  }
  document.activeElement.blur();
  return strokes.map((stroke) => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...stroke }));
    return pressed.pop() ?? "";
  });
}"""


def test_a_key_means_what_it_types_or_its_place_on_a_latin_keyboard(page: Page, site: str) -> None:
    page.goto("/sign-in")
    page.wait_for_function("document.querySelector('[data-keys-switch]').hidden === false")
    pressed = page.evaluate(
        PRESSED, [{"key": key, "code": code, **more} for _, key, code, more, _ in STROKES]
    )
    assert dict(zip([row[0] for row in STROKES], pressed, strict=True)) == {row[0]: row[4] for row in STROKES}


BLOCKED = """for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, {
  get() { throw new DOMException("The browser keeps nothing.", "SecurityError"); },
});
Object.defineProperty(Document.prototype, "cookie", {
  get: () => "", set() { throw new DOMException("The browser keeps nothing.", "SecurityError"); },
});"""


def test_keys_marks_and_counts_work_where_the_browser_keeps_nothing(
    sign_in: Callable[..., None], page: Page, fake: FakePlatform
) -> None:
    page.add_init_script(BLOCKED)
    sign_in(f"/rounds/{fake.loop.round_id}/create")
    page.keyboard.press("2")
    expect(page.locator("input[value=neutral]")).to_be_checked()
    page.fill("#field-text", "Nothing is kept")
    expect(page.locator("[data-count]")).to_have_text("15")
    expect(page.locator("#try-form [data-draft-status]")).to_contain_text("draft not saved")
    page.press("#field-text", "Enter")
    expect(page.locator(".verdict h2")).to_be_focused()


FAILS = """const find = Document.prototype.getElementById;
Document.prototype.getElementById = function (id) { return id.startsWith("count-") ? null : find.call(this, id); };"""


def test_a_script_that_fails_is_reported_and_stops_no_other(
    context: BrowserContext, fake: FakePlatform
) -> None:
    page, failures = context.new_page(), list[str]()
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.add_init_script(FAILS)
    page.goto(f"/sign-in?next=/rounds/{fake.loop.round_id}/create")
    page.fill("[name=user_name]", "ada")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    page.wait_for_url("**/create")
    page.keyboard.press("2")
    expect(page.locator("input[value=neutral]")).to_be_checked()
    assert failures
