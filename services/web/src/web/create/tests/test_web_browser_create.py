"""Creating in a browser: drafts, double clicks, keys, and the verdict without a new page."""

import pytest
from dynabench_common.testing import wait_until
from playwright.sync_api import Page, Route, expect
from web_fake_platform import PASSWORD, FakePlatform

GREAT = "Such a great choice that my dog got most of it."
TEXT = "#field-text"


def write(page: Page, text: str = GREAT) -> None:
    page.check("input[value=negative]")
    page.fill(TEXT, text)


def test_a_try_shows_its_verdict_and_moves_the_focus_to_it(creating: Page, fake: FakePlatform) -> None:
    write(creating)
    creating.press(TEXT, "Enter")
    expect(creating.locator(".verdict h2")).to_contain_text("You fooled")
    expect(creating.locator(".verdict h2")).to_be_focused()
    expect(creating).to_have_url(
        f"/rounds/{fake.loop.round_id}/create?example={next(iter(fake.loop.examples))}"
    )
    expect(creating.locator(TEXT)).to_have_value(GREAT)
    creating.reload()
    expect(creating.locator(".verdict h2")).to_contain_text("You fooled")
    assert len(fake.loop.examples) == 1


SIGN_MOVES = "document.querySelector('.verdict .sign').getAnimations().length"


def test_a_fooling_has_its_moment_once(creating: Page) -> None:
    write(creating)
    creating.press(TEXT, "Enter")
    expect(creating.locator(".verdict-fooled.is-new")).to_be_visible()
    assert (
        creating.evaluate("getComputedStyle(document.querySelector('.verdict .sign')).animationName")
        == "appear"
    )
    creating.reload()
    expect(creating.locator(".verdict h2")).to_contain_text("You fooled")
    expect(creating.locator(".is-new")).to_have_count(0)
    assert creating.evaluate(SIGN_MOVES) == 0


def test_a_fooling_stays_still_where_motion_is_not_wanted(creating: Page) -> None:
    creating.emulate_media(reduced_motion="reduce")
    write(creating)
    creating.press(TEXT, "Enter")
    expect(creating.locator(".verdict-fooled.is-new")).to_be_visible()
    assert creating.evaluate(SIGN_MOVES) == 0


def test_a_draft_survives_a_reload(creating: Page) -> None:
    write(creating, "A draft with an emoji 🙂")
    expect(creating.locator("#try-form [data-draft-status]")).to_have_text("draft saved")
    creating.reload()
    expect(creating.locator(TEXT)).to_have_value("A draft with an emoji 🙂")
    expect(creating.locator("input[value=negative]")).to_be_checked()
    expect(creating.locator("#try-form [data-draft-status]")).to_have_text("draft restored")


def test_a_draft_survives_a_reload_right_after_typing(creating: Page) -> None:
    creating.fill(TEXT, "typed a moment ago")
    creating.reload()
    expect(creating.locator(TEXT)).to_have_value("typed a moment ago")


def test_a_draft_survives_the_end_of_the_session(creating: Page, fake: FakePlatform) -> None:
    write(creating)
    creating.context.clear_cookies()
    fake.end_sessions()
    creating.click("#try-form button[value=submit]")
    creating.wait_for_url("**/sign-in?*")
    expect(creating.locator(".notice")).to_contain_text("Your session has ended")
    creating.fill("[name=user_name]", "ada")
    creating.fill("[name=password]", PASSWORD)
    creating.click("main button.primary")
    creating.wait_for_url("**/create")
    expect(creating.locator(TEXT)).to_have_value(GREAT)
    assert not fake.loop.examples
    creating.press(TEXT, "Enter")
    expect(creating.locator(".verdict h2")).to_contain_text("You fooled")


def test_a_draft_belongs_to_its_context_and_its_person(creating: Page, fake: FakePlatform) -> None:
    creating.fill(TEXT, "on the first context")
    expect(creating.locator("#try-form [data-draft-status]")).to_have_text("draft saved")
    creating.click(".context-actions > button")
    expect(creating.locator(".context blockquote")).to_contain_text("Our waiter")
    expect(creating.locator(TEXT)).to_have_value("on the first context")
    creating.reload()
    expect(creating.locator(TEXT)).to_have_value("on the first context")
    creating.fill(TEXT, "on the second context")
    expect(creating.locator("#try-form [data-draft-status]")).to_have_text("draft saved")
    fake.loop.position = 0
    creating.reload()
    expect(creating.locator(TEXT)).to_have_value("on the first context")
    creating.click("text=Sign out")
    creating.goto(f"/sign-in?next=/rounds/{fake.loop.round_id}/create")
    creating.fill("[name=user_name]", "olga")
    creating.fill("[name=password]", PASSWORD)
    creating.click("main button.primary")
    expect(creating.locator(TEXT)).to_have_value("")


@pytest.mark.usefixtures("intercepted")
def test_a_reload_while_a_try_is_on_its_way_stores_it_once(creating: Page, fake: FakePlatform) -> None:
    write(creating)
    expect(creating.locator("[data-draft-status]").first).to_contain_text("saved")
    creating.route("**/create", lambda route: route.fetch(max_redirects=0))  # the answer never comes
    creating.press(TEXT, "Enter")
    # Playwright calls the handler of a route only within its own calls.
    wait_until(lambda: creating.title() and fake.loop.examples, what="the try to be stored")
    creating.unroute("**/create")
    creating.reload()
    expect(creating.locator(TEXT)).to_have_value(GREAT)
    creating.press(TEXT, "Enter")
    expect(creating.locator(".verdict")).to_be_visible()
    assert len(fake.loop.examples) == 1


def test_a_sent_text_is_no_draft_any_more(creating: Page) -> None:
    write(creating)
    creating.press(TEXT, "Enter")
    expect(creating.locator(".verdict")).to_be_visible()
    drafts = "Object.keys(localStorage).filter(key => key.startsWith('dynabench-draft:'))"
    wait_until(lambda: creating.evaluate(drafts) == [], what="no draft")


def test_a_double_click_is_one_example(creating: Page, fake: FakePlatform) -> None:
    write(creating)
    creating.dblclick("#try-form button[value=submit]")
    expect(creating.locator(".verdict")).to_be_visible()
    assert len(fake.loop.examples) == 1


def test_an_undecided_try_keeps_the_text_and_goes_through_later(creating: Page, fake: FakePlatform) -> None:
    fake.fail("POST", "/examples$", 503, "verdict-undecidable", retry_after=1, detail="Still starting.")
    write(creating)
    creating.press(TEXT, "Enter")
    expect(creating.locator(".problem")).to_contain_text("Still starting.")
    expect(creating.locator(".problem")).to_be_focused()
    expect(creating.locator(TEXT)).to_have_value(GREAT)
    expect(creating.locator(".problem [data-countdown]")).to_have_text("You can try again now.")
    creating.press(TEXT, "Enter")
    expect(creating.locator(".verdict")).to_be_visible()
    assert len(fake.loop.examples) == 1


def test_the_counter_counts_code_points(creating: Page) -> None:
    creating.fill(TEXT, "🙂e\u0301")
    expect(creating.locator("[data-count]")).to_have_text("3")
    creating.fill(TEXT, "x" * 1001)
    expect(creating.locator(".counter")).to_have_class("counter is-over")


def test_shift_and_enter_begin_a_new_line(creating: Page, fake: FakePlatform) -> None:
    creating.fill(TEXT, "one")
    creating.press(TEXT, "Shift+Enter")
    creating.type(TEXT, "two")
    expect(creating.locator(TEXT)).to_have_value("one\ntwo")
    assert not fake.loop.examples


def test_enter_that_ends_a_composition_sends_nothing(creating: Page, fake: FakePlatform) -> None:
    write(creating)
    for stroke in ({"keyCode": 229}, {"isComposing": True}, {"repeat": True}):
        creating.dispatch_event(TEXT, "keydown", {"key": "Enter", "code": "Enter", **stroke})
    expect(creating.locator(TEXT)).to_have_value(GREAT)
    creating.press(TEXT, "Enter")
    expect(creating.locator(".verdict")).to_be_visible()
    assert len(fake.loop.examples) == 1
    assert len([each for each in fake.calls if each[0] == "POST" and each[1].endswith("/examples")]) == 1


def test_the_whole_path_goes_by_keyboard(creating: Page, fake: FakePlatform) -> None:
    creating.keyboard.press("3")
    expect(creating.locator("input[value=positive]")).to_be_checked()
    creating.keyboard.press("1")
    creating.keyboard.press("e")
    expect(creating.locator(TEXT)).to_be_focused()
    creating.keyboard.type("not great, 1 of 3, neither nice")
    expect(creating.locator(TEXT)).to_have_value("not great, 1 of 3, neither nice")
    expect(creating.locator("input[value=negative]")).to_be_checked()
    creating.keyboard.press("Enter")
    expect(creating.locator(".verdict h2")).to_be_focused()
    creating.keyboard.press("i")
    expect(creating.locator(".attribution")).to_be_visible()
    creating.keyboard.press("n")
    expect(creating.locator(".context blockquote")).to_contain_text("Our waiter")
    assert len(fake.loop.examples) == 1


def test_tab_reaches_every_control_and_the_focus_is_seen(creating: Page) -> None:
    creating.keyboard.press("Tab")
    expect(creating.locator(".skip-link")).to_be_focused()
    reached = set()
    for _ in range(40):
        creating.keyboard.press("Tab")
        reached.add(
            creating.evaluate("document.activeElement.textContent.trim() || document.activeElement.name")
        )
        outlined = creating.evaluate(
            "(e => e === document.body || [e, e.parentElement].some("
            "x => getComputedStyle(x).outlineStyle !== 'none'))(document.activeElement)"
        )
        assert outlined, reached
    for name in (
        "Show tips H",
        "Guidelines G",
        "New prompt N",
        "input.text",
        "Submit text ⏎",
        "⚑ Report this text",
    ):
        assert name in reached, reached


def test_single_keys_can_be_switched_off(creating: Page) -> None:
    creating.keyboard.press("?")
    expect(creating.locator("#keys-dialog")).to_be_visible()
    creating.uncheck("#keys-dialog input")
    creating.keyboard.press("Escape")
    expect(creating.locator("#keys-dialog")).to_be_hidden()
    creating.keyboard.press("3")
    expect(creating.locator("input[value=positive]")).not_to_be_checked()


def test_guidelines_open_over_the_text(creating: Page) -> None:
    creating.fill(TEXT, "kept")
    creating.click("text=Guidelines")
    expect(creating.locator("#guidelines-dialog")).to_contain_text("Read the prompt sentence")
    creating.keyboard.press("Escape")
    expect(creating.locator(TEXT)).to_have_value("kept")


def test_explaining_keeps_the_page_and_what_is_typed(creating: Page, fake: FakePlatform) -> None:
    write(creating)
    creating.press(TEXT, "Enter")
    creating.fill("#explanations [name=label]", "The dog ate it.")
    creating.fill(TEXT, "The next great idea")
    creating.click("#explanations button")
    expect(creating.locator("#explanations [data-draft-status]")).to_have_text("saved")
    expect(creating.locator(TEXT)).to_have_value("The next great idea")
    assert next(iter(fake.loop.examples.values()))["explanations"]["label"] == "The dog ate it."


def test_numbers_of_an_inspection_can_be_switched_on(creating: Page) -> None:
    write(creating)
    creating.press(TEXT, "Enter")
    creating.click(".answers button >> nth=0")
    number = creating.locator(".weight-number").first
    expect(number).to_be_hidden()
    expect(creating.locator(".inspected")).to_contain_text("These words pushed it towards positive: “")
    expect(creating.get_by_text("convergence delta")).to_be_hidden()
    creating.click(".inspection-details > summary")
    expect(creating.get_by_text("convergence delta")).to_be_visible()
    creating.check(".show-numbers input")
    expect(number).to_be_visible()


def test_an_inspection_waits_for_its_workers_by_itself(creating: Page, fake: FakePlatform) -> None:
    write(creating)
    creating.press(TEXT, "Enter")
    fake.fail("POST", "/inspections$", 503, detail="Explanation workers are starting.", retry_after=1)
    creating.click(".answers button >> nth=0")
    expect(creating.locator("#inspection-problem")).to_contain_text("starting")
    expect(creating.locator(".attribution")).to_be_visible()


@pytest.mark.usefixtures("intercepted")
def test_a_slow_inspection_says_where_the_answer_will_stand_what_it_waits_for_and_for_how_long(
    creating: Page, fake: FakePlatform
) -> None:
    creating.clock.install()
    write(creating)
    creating.press(TEXT, "Enter")
    expect(creating.locator(".verdict")).to_be_visible()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    creating.route("**/inspections", hold)
    creating.click(".answers button >> nth=0")
    creating.clock.run_for(400)
    waiting = creating.locator("#inspection-slot .waiting")
    expect(waiting).to_contain_text("Waiting for the explanation")
    expect(waiting).to_be_in_viewport()
    expect(creating.locator("#loading")).to_be_empty()
    creating.clock.run_for(7000)
    expect(waiting.locator(".waiting-time")).to_have_text("7\u00a0s")
    held[0].continue_()
    expect(creating.locator(".attribution")).to_be_visible()
    expect(waiting).to_have_count(0)


def test_without_scripts_the_form_works_alone(creating: Page, fake: FakePlatform) -> None:
    assert creating.context.browser is not None
    plain = creating.context.browser.new_context(
        base_url=creating.url.partition("/rounds")[0],
        java_script_enabled=False,
        storage_state=creating.context.storage_state(),
    )
    page = plain.new_page()
    page.goto(f"/rounds/{fake.loop.round_id}/create")
    write(page)
    page.click("#try-form button[value=submit]")
    expect(page.locator(".verdict h2")).to_contain_text("You fooled")
    page.click(".answers button >> nth=0")
    expect(page.locator(".attribution")).to_be_visible()
    plain.close()


def test_hints_keep_the_text_and_take_the_focus(creating: Page) -> None:
    creating.fill(TEXT, "kept")
    creating.press(TEXT, "Tab")
    creating.keyboard.press("h")
    expect(creating.locator(".hint")).to_be_focused()
    expect(creating.locator(TEXT)).to_have_value("kept")
    expect(creating.locator("[name=hint_shown]")).to_have_value("1")
