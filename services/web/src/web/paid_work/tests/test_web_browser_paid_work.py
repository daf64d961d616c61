"""Paid work in a browser: from the offer to the code by keys and by clicks, without scripts, and on narrow screens."""

import re
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from web_chromium import DESK, OVERFLOW, PHONE, violations
from web_fake_campaigns import decision
from web_fake_platform import FakePlatform
from web_fake_work import CODE, FORGED, WORKER

NARROW: ViewportSize = {"width": 320, "height": 640}
TEXT = "Such a great choice that my dog got most of it."
OUTSIDE = "مرحبا 🙂 from elsewhere, every word of it"
LONG = "مرحبا 🙂 " + "عنوانطويل" * 40


def write(page: Page, text: str) -> None:
    page.check("input[value=negative]")
    page.fill("#field-text", text)
    page.click("#try-form .actions button[value=submit]")
    expect(page.locator(".verdict h2")).to_be_visible()


def test_a_worker_goes_from_the_offer_to_the_code(page: Page, fake: FakePlatform) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/work/{fake.work.offer()}?{WORKER}=w1")
    page.click("text=Start work")
    expect(page.locator(".work-bar")).to_contain_text("0 of 2")
    address = page.url
    for number in (1, 2):
        write(page, f"{TEXT} {number}")
        expect(page.locator(".work-bar strong")).to_contain_text(f"{number} of 2")
    page.click("text=Hand in the work")
    expect(page.locator("#completion-code")).to_have_text(CODE)
    page.click("text=Copy the code")
    page.wait_for_function("code => navigator.clipboard.readText().then(text => text === code)", arg=CODE)
    page.goto(address)
    expect(page.locator(".work-bar")).to_contain_text("This work is over.")


@pytest.mark.long
def test_the_bar_follows_without_a_reload_and_keeps_what_is_open(page: Page, fake: FakePlatform) -> None:
    page.goto(f"/work/{fake.work.offer()}?{WORKER}=w1")
    page.click("text=Start work")
    page.fill("#field-text", "half a text")
    page.click("#give-back-summary")
    fake.work.change(done=1)
    expect(page.locator(".work-bar strong")).to_contain_text("1 of 2")
    expect(page.locator("#give-back-button")).to_be_visible()
    expect(page.locator("#work-summary")).to_contain_text("1 of 2")
    expect(page.locator("#field-text")).to_have_value("half a text")
    fake.work.change(done=2)
    expect(page.locator("#hand-in")).to_be_visible()
    page.click("#give-back-button")
    expect(page.locator("h1")).to_have_text("You gave the work back")


def test_all_of_it_can_be_done_by_keys(page: Page, fake: FakePlatform) -> None:
    page.goto(f"/work/{fake.work.offer('validate')}?{WORKER}=w1")

    def press_until_focused(selector: str) -> None:
        for _tries in range(60):
            page.keyboard.press("Tab")
            if page.evaluate(f"document.activeElement.matches('{selector}')"):
                return
        raise AssertionError(f"no way by keys to {selector}")

    press_until_focused(".paid-work button.primary")
    page.keyboard.press("Enter")
    expect(page.locator("#question")).to_be_focused()
    for number in (1, 2):
        page.keyboard.press("1")
        expect(page.locator(".answered")).to_be_visible()
        expect(page.locator(".work-bar strong")).to_contain_text(f"{number} of 2")
        if number == 1:
            page.keyboard.press("n")
            expect(page.locator("#question")).to_be_focused()
    page.evaluate("document.getElementById('main').focus()")
    press_until_focused("#hand-in")
    page.keyboard.press("Enter")
    expect(page.locator("#completion-code")).to_have_text(CODE)


def test_pasted_text_is_counted_and_quotes_of_the_context_are_not(page: Page, fake: FakePlatform) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/work/{fake.work.offer(units=3)}?{WORKER}=w1")
    page.click("text=Start work")
    quote = page.locator(".context blockquote").inner_text()

    def paste(text: str) -> None:
        page.locator("#field-text").focus()
        page.evaluate("text => navigator.clipboard.writeText(text)", text)
        page.keyboard.press("ControlOrMeta+V")
        expect(page.locator("#field-text")).to_have_value(re.compile(f"{re.escape(text)}$"))

    def submitted(number: int) -> object:
        page.check("input[value=negative]")
        page.locator("#field-text").evaluate("field => field.dataset.old = 'yes'")
        page.click("#try-form .actions button[value=submit]")
        expect(page.locator(".work-bar strong")).to_contain_text(f"{number} of 3")
        expect(page.locator("#field-text[data-old]")).to_have_count(0)
        return [body for body, _ in fake.loop.keys.values()][-1]["pasted_characters"]

    page.fill("#field-text", "")
    paste(quote)
    page.keyboard.type(", which I did not say.")
    assert submitted(1) == 0
    page.fill("#field-text", "")
    paste(OUTSIDE)
    page.keyboard.type(" and my own words")
    assert submitted(2) == len(OUTSIDE)
    page.fill("#field-text", "All of it is typed anew by me.")
    assert submitted(3) == 0


def test_an_excluded_person_appeals(page: Page, fake: FakePlatform) -> None:
    page.goto(f"/work/{fake.work.offer()}?{WORKER}=w1")
    with page.expect_navigation():
        page.click("text=Start work")
    done = fake.work.change(state="approved", fair_play=decision("excluded", "Two texts are copies."))
    page.goto(f"/work/done/{done}")
    page.get_by_label("Is this wrong?").fill("I wrote them first.")
    page.get_by_role("button", name="Send the appeal").click()
    expect(page.locator("#fair-play")).to_contain_text("The owner has not answered yet.")


def test_it_works_without_scripts(browser: Browser, site: str, fake: FakePlatform) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"/work/{fake.work.offer(units=1)}?{WORKER}=w1")
    page.click("text=Start work")
    write(page, TEXT)
    expect(page.locator(".work-bar strong")).to_contain_text("1 of 1")
    page.click("text=Hand in the work")
    expect(page.locator("#completion-code")).to_have_text(CODE)
    expect(page.locator("text=Copy the code")).to_be_hidden()
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "theme"),
    [(NARROW, "light"), (PHONE, "dark"), (DESK, "dark")],
    ids=["narrow", "phone", "desk"],
)
@pytest.mark.parametrize("is_from_right", [False, True], ids=["left", "right"])
def test_no_page_of_paid_work_has_a_finding(
    size: ViewportSize,
    theme: Literal["light", "dark"],
    is_from_right: bool,
    browser: Browser,
    site: str,
    fake: FakePlatform,
) -> None:
    context = browser.new_context(
        base_url=site, viewport=size, color_scheme=theme, bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()

    def check(name: str) -> None:
        if is_from_right:
            page.evaluate("document.documentElement.dir = 'rtl'")
        assert violations(page) == [], name
        assert page.evaluate(OVERFLOW) <= 0, f"{name} is wider than the window"

    def press(button: str) -> None:
        with page.expect_navigation():
            page.click(button)

    campaign_id = fake.work.offer(title=LONG)
    page.goto(f"/work/{campaign_id}?{WORKER}={FORGED}")
    check("offer")
    press(".paid-work button.primary")
    check("refused")
    page.goto(f"/work/{campaign_id}?{WORKER}=w1")
    press(".paid-work button.primary")
    page.click("#give-back-summary")
    check("bar")
    fake.work.change(done=2)
    page.reload()
    check("all done")
    press("#hand-in")
    check("code")
    for state in ("approved", "rejected", "returned", "timed_out", "screened_out", "working"):
        excluded = decision("excluded", LONG) if state in {"approved", "rejected"} else None
        done = fake.work.change(state=state, why="It repeats one text.", fair_play=excluded)
        page.goto(f"/work/done/{done}")
        check(state)
    context.close()
