"""Sizes of windows, and what axe-core finds in one."""

from pathlib import Path

from playwright.sync_api import Page, ViewportSize

AXE = Path(__file__).parents[1] / "node_modules" / "axe-core" / "axe.min.js"
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 900}
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""The number of pixels by which a page is wider than its window."""
BELOW = """[...document.querySelectorAll("label.check:has(input)")].filter(label => {
  if (!label.checkVisibility()) return false;
  const text = document.createRange();
  text.selectNodeContents(label);
  text.setStartAfter(label.querySelector("input"));
  return text.getBoundingClientRect().top >= label.querySelector("input").getBoundingClientRect().bottom;
}).map(label => label.textContent.trim())"""
"""The labels of check boxes and radio buttons that start below their box."""


# In each form, fields in which Enter presses its first button, while another button is the next after the field.
# Buttons that change the form itself, answer a question about it, or only read (`formmethod=get`) belong to no field.
MISLED = """[...document.forms].flatMap((form) => {
  const controls = [...form.elements];
  const buttons = controls.filter((each) => each.type === "submit" && each.formMethod !== "get");
  const does = (button) => [button.name, button.value, button.formAction].join(" ");
  const others = "[type=hidden], [type=radio], [type=checkbox], [type=file]";
  const isLine = (each) => each.matches(`[data-submit-on-enter], input:not(${others})`);
  const nextTo = (field) => {
    const seen = buttons.filter((each) => !each.ariaHidden && !["change", "cut"].includes(each.name));
    const after = (each) => field.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING;
    return seen.find(after) ?? seen.at(-1) ?? buttons[0];
  };
  return controls.filter((each) => isLine(each) && buttons.length && does(nextTo(each)) !== does(buttons[0]))
    .map((each) => `Enter in ${each.name} presses another button: ${buttons[0].outerHTML}`);
})"""


def violations(page: Page) -> list[str]:
    """Return what axe-core finds wrong, and the fields in which Enter does not what their own button does."""
    misled: list[str] = page.evaluate(MISLED)
    if misled:
        return misled
    page.evaluate(AXE.read_text())
    found: list[str] = page.evaluate(
        "axe.run().then(r => r.violations.map(v => `${v.id}: ${v.nodes.map(n => n.target.join(' ')).join(', ')}`))"
    )
    return found


def intercept_from_the_start(page: Page) -> None:
    """Let routes hold for each request of a page that is not opened yet.

    Chromium tells an open page of its first route a moment too late: a request may pass meanwhile.
    """
    page.route("**/no-such-address", lambda route: route.abort())
