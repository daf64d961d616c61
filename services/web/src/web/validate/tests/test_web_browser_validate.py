"""Validating in a browser: by keys from the blind vote to the correction, undo, going back, leases, and the pace."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from time import sleep
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from web_chromium import DESK, OVERFLOW, PHONE, violations
from web_fake_platform import PASSWORD, FakePlatform
from web_fake_votes import WAITING

KEYLESS = """() => [...document.querySelectorAll("#work [data-key]")]
    .filter((each) => each.checkVisibility() && !(each.closest("label") ?? each).querySelector("kbd"))
    .map((each) => each.outerHTML)"""


@pytest.fixture
def path(fake: FakePlatform) -> str:
    return f"/rounds/{fake.loop.round_id}/validate"


@pytest.fixture
def validating(sign_in: Callable[[str], None], page: Page, path: str) -> Page:
    sign_in(path)
    expect(page.locator(".example-text")).to_have_text(WAITING[0])
    return page


def test_a_no_leads_by_keys_to_what_is_right(validating: Page, fake: FakePlatform) -> None:
    validating.keyboard.press("2")
    expect(validating.locator("#answered-heading")).to_be_focused()
    validating.keyboard.press("Enter")
    expect(validating.locator("#reveal-heading")).to_be_focused()
    validating.keyboard.press("w")
    validating.get_by_label("Why?").fill("It groans, 1 or 2 times.")
    validating.locator("#reveal-heading").focus()
    validating.keyboard.press("2")
    expect(validating.locator("#reveal-heading")).to_have_text("What is the right answer?")
    expect(validating.get_by_label("Why?")).to_have_value("It groans, 1 or 2 times.")
    validating.keyboard.press("Enter")
    expect(validating.locator(".example-text")).to_have_text(WAITING[1])
    said = {"agrees": False, "corrected": "neutral", "explanation": "It groans, 1 or 2 times."}
    assert list(fake.loop.judgements.values()) == [said]


def test_enter_is_no_yes_to_a_disagreement(validating: Page, fake: FakePlatform) -> None:
    validating.keyboard.press("2")
    expect(validating.locator("#answered-heading")).to_be_focused()
    validating.keyboard.press("Enter")
    expect(validating.locator("#reveal-heading")).to_be_focused()
    expect(validating.locator("#judge-question")).to_have_text("Is the author right after all?")
    validating.keyboard.press("Enter")
    validating.keyboard.press("Enter")
    expect(validating.locator("#judge-question")).to_be_visible()
    validating.keyboard.press("1")
    expect(validating.locator(".example-text")).to_have_text(WAITING[1])
    assert list(fake.loop.judgements.values()) == [{"agrees": True}]


def test_undo_counts_down_and_brings_the_example_back(validating: Page, fake: FakePlatform) -> None:
    validating.keyboard.press("1")
    expect(validating.locator(".toast")).to_contain_text("You said negative")
    expect(validating.locator("#work")).not_to_contain_text("The author said")
    validating.keyboard.press("n")
    expect(validating.locator(".example-text")).to_have_text(WAITING[1])
    expect(validating.locator(".toast button")).to_contain_text("Undo · ")
    validating.keyboard.press("u")
    expect(validating.locator(".example-text")).to_have_text(WAITING[0])
    expect(validating.locator(".toast")).to_have_count(0)
    assert fake.loop.recent == []


def test_the_offer_to_undo_goes_when_its_time_is_over(page: Page, validating: Page) -> None:
    page.clock.install()
    page.keyboard.press("1")
    expect(page.locator(".toast")).to_be_visible()
    page.clock.run_for(61_000)
    expect(page.locator(".toast")).to_have_count(0)


def test_one_goes_back_by_keys_and_changes_an_answer(validating: Page, fake: FakePlatform, path: str) -> None:
    for stroke in ("1", "n", "2", "n"):
        shown = validating.locator("#work h2").first.inner_text()
        validating.keyboard.press(stroke)
        expect(validating.locator("#work h2").first).not_to_have_text(shown)
    validating.keyboard.press("b")
    expect(validating.locator("#past-heading")).to_contain_text("Your answer 1 of 2")
    expect(validating.locator("#past-heading")).to_be_focused()
    validating.keyboard.press("b")
    expect(validating.locator("#past-heading")).to_contain_text("Your answer 2 of 2")
    expect(validating.locator("#past-heading")).to_be_focused()
    expect(validating.locator(".example-text")).to_have_text(WAITING[0])
    validating.keyboard.press("l")
    expect(validating.locator("#past-heading")).to_contain_text("Your answer 1 of 2")
    expect(validating.locator("#past-heading")).to_be_focused()
    validating.keyboard.press("3")
    expect(validating.locator("#work")).to_contain_text("Your new answer replaces")
    assert [each["value"] for each in fake.loop.ballots] == ["negative", "neutral", "positive"]


def test_what_is_shown_answers_a_key_at_once(validating: Page) -> None:
    validating.evaluate("""() => {
        window.sameDocument = true;
        const pressNext = (_, watch) => {
            if (!document.querySelector("#answered-heading")) return;
            watch.disconnect();
            document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "n", bubbles: true}));
        };
        new MutationObserver(pressNext).observe(document.body, {childList: true, subtree: true});
    }""")
    validating.keyboard.press("1")
    expect(validating.locator(".example-text")).to_have_text(WAITING[1])
    assert validating.evaluate("window.sameDocument"), (
        "the key loaded a new page: htmx did not know its button yet"
    )


def test_the_lease_is_renewed_at_most_once_a_minute_of_activity(
    page: Page, fake: FakePlatform, sign_in: Callable[[str], None], path: str
) -> None:
    page.clock.install()
    sign_in(path)
    lease_id = fake.loop.queue[0]["lease_id"]
    page.keyboard.press("Shift")
    page.clock.fast_forward(61_000)
    assert fake.loop.renewed == []
    with page.expect_response("**/renewal"):
        page.keyboard.press("Shift")
    page.keyboard.press("Shift")
    page.clock.fast_forward(61_000)
    with page.expect_response("**/renewal"):
        page.keyboard.press("Shift")
    assert fake.loop.renewed == [lease_id, lease_id]


def test_a_lost_lease_says_so_and_leaves_what_was_typed(
    page: Page, fake: FakePlatform, sign_in: Callable[[str], None], path: str
) -> None:
    page.clock.install()
    sign_in(path)
    page.keyboard.press("f")
    page.fill("[name=reason]", "It leaks.")
    fake.loop.lost_leases.add(fake.loop.queue[0]["lease_id"])
    page.clock.fast_forward(61_000)
    page.press("[name=reason]", "End")
    expect(page.get_by_role("alert")).to_contain_text("Your time for this text is over.")
    expect(page.locator("[name=reason]")).to_have_value("It leaks.")


def test_enter_in_the_reason_flags_and_chooses_no_label(validating: Page, fake: FakePlatform) -> None:
    validating.keyboard.press("f")
    expect(validating.locator("[name=reason]")).to_be_focused()
    validating.keyboard.type("Not as it is used: 1 of 2.")
    validating.press("[name=reason]", "Enter")
    expect(validating.locator("#answered-heading")).to_contain_text("You flagged it.")
    assert fake.loop.ballots == [{"kind": "flag", "reason": "Not as it is used: 1 of 2."}]


def test_a_key_held_down_answers_once(validating: Page, fake: FakePlatform) -> None:
    validating.keyboard.down("2")
    expect(validating.locator("#answered-heading")).to_be_focused()
    validating.keyboard.down("2")
    validating.keyboard.up("2")
    validating.keyboard.down("n")
    expect(validating.locator(".example-text")).to_have_text(WAITING[1])
    for key in ("n", "2"):
        validating.keyboard.down(key)
        validating.keyboard.down(key)
    expect(validating.locator("#answered-heading")).to_be_focused()
    assert [each["value"] for each in fake.loop.ballots] == ["neutral", "neutral"]


def run_until_focused(page: Page, heading: str) -> None:
    """Let the page's time, which stands still, go on in small steps until what has been asked for is there."""
    for _ in range(1000):
        if page.locator(f"{heading}:focus").count():
            return
        page.clock.run_for(5)
        sleep(0.02)
    pytest.fail(f"{heading} never got the focus")


@pytest.fixture
def timed(page: Page, sign_in: Callable[[str], None], path: str) -> Page:
    """The page of a person who wants to go on by itself, right after an answer; from there its time stands still."""
    page.clock.install()
    sign_in(path)
    with page.expect_navigation():
        page.get_by_role("button", name="continue after 6 s").click()
    expect(page.locator("button[value=timed]")).to_have_attribute("aria-pressed", "true")
    page.clock.pause_at(datetime.fromtimestamp(page.evaluate("Date.now()") / 1000 + 5, UTC))
    page.keyboard.press("2")
    run_until_focused(page, "#answered-heading")
    page.keyboard.press("Enter")
    run_until_focused(page, "#reveal-heading")
    expect(page.locator(".advance")).to_contain_text("Next in")
    return page


def test_the_page_goes_on_by_itself_for_who_wants_it(timed: Page, fake: FakePlatform) -> None:
    timed.clock.run_for(7_000)
    timed.clock.resume()
    expect(timed.locator(".example-text")).to_have_text(WAITING[1])
    assert fake.loop.judgements == {}


def test_the_page_never_goes_on_while_one_types(timed: Page) -> None:
    timed.keyboard.press("w")
    timed.get_by_label("Why?").fill("Because")
    timed.clock.run_for(60_000)
    expect(timed.get_by_label("Why?")).to_have_value("Because")
    expect(timed.locator(".advance")).to_be_hidden()


def test_escape_stays(timed: Page) -> None:
    timed.keyboard.press("Escape")
    timed.clock.run_for(30_000)
    expect(timed.locator("#reveal-heading")).to_be_visible()
    expect(timed.locator(".advance")).to_be_hidden()


def test_nothing_moves_for_who_wants_less_motion(timed: Page) -> None:
    name = "getComputedStyle(document.querySelector('.advance-bar')).animationName"
    assert timed.evaluate(name) == "advance"
    timed.emulate_media(reduced_motion="reduce")
    assert timed.evaluate(name) == "none"


def test_an_author_appeals(sign_in: Callable[[str], None], page: Page, fake: FakePlatform) -> None:
    sign_in(f"/rounds/{fake.loop.round_id}/create")
    page.check("input[value=negative]")
    page.fill("#field-text", "Such a great choice.")
    page.click("button.primary")
    expect(page.locator(".verdict")).to_be_visible()
    example_id = next(iter(fake.loop.examples))
    fake.loop.receive(example_id, "incorrect", {"option": "positive", "reason": ""}, {"option": "positive"})
    page.goto(f"/rounds/{fake.loop.round_id}/tries")
    page.click(f"#appeal-{example_id} summary")
    page.get_by_label("Why is the result wrong?").fill("It is irony.")
    page.click("text=Send the appeal")
    expect(page.locator(".appeal")).to_contain_text("The owner has not answered yet.")
    assert fake.loop.received[example_id]["appeal"]["reason"] == "It is irony."


@pytest.mark.long
@pytest.mark.parametrize(("size", "theme"), [(PHONE, "dark"), (DESK, "light")], ids=["phone", "desk"])
def test_no_state_has_a_finding(
    size: ViewportSize,
    theme: Literal["light", "dark"],
    browser: Browser,
    site: str,
    fake: FakePlatform,
    path: str,
) -> None:
    context = browser.new_context(
        base_url=site, viewport=size, color_scheme=theme, bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()

    def check(name: str) -> None:
        assert violations(page) == [], name
        assert page.evaluate(OVERFLOW) <= 0, f"{name} is wider than the window"
        if size == PHONE:
            check_targets(page, name)
        else:
            assert page.evaluate(KEYLESS) == [], f"{name}: a control does not print its key"

    enter(page, path)
    check("vote")
    page.keyboard.press("2")
    page.wait_for_selector(".answered")
    check("an answer with the offer to undo")
    page.keyboard.press("Enter")
    page.wait_for_selector(".reveal")
    page.click("#say-why summary")
    check("reveal")
    page.click("button[value=no]")
    expect(page.locator("#reveal-heading")).to_have_text("What is the right answer?")
    check("correction")
    page.goto(f"{path}/back")
    check("an answer that stands")
    page.goto(path)
    page.keyboard.press("2")
    page.wait_for_selector(".answered")
    page.goto(f"{path}/back")
    check("an answer that can be changed")
    fake.loop.settle(fake.loop.recent[0]["vote_id"], "incorrect")
    page.reload()
    check("an answer that stands, unseen what the author said")
    fake.loop.standing |= {
        "state": "warned",
        "gold": {"value": 0.9, "low": 0.6, "high": 0.98, "n": 10, "reason": None},
    }
    page.goto(path)
    check("warned")
    for state in empty_queues(page, fake, path):
        check(state)
    fake.loop.standing["state"] = "paused"
    page.goto(path)
    check("paused")
    receive(fake)
    page.goto(f"/rounds/{fake.loop.round_id}/tries")
    for summary in page.query_selector_all("main summary"):
        summary.click()
    check("votes on one's own tries")
    context.close()


def empty_queues(page: Page, fake: FakePlatform, path: str) -> Iterator[str]:
    """Open the page for each reason why nothing waits."""
    for state in ("nothing_waits", "only_own", "all_answered", "others_working", "round_takes_no_votes"):
        fake.loop.queue.clear()
        fake.loop.empty_state = state
        page.goto(path)
        yield state


def enter(page: Page, path: str) -> None:
    page.goto(f"/sign-in?next={path}")
    page.fill("[name=user_name]", "ada")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    page.wait_for_url(f"**{path}")


def check_targets(page: Page, name: str) -> None:
    for control in page.query_selector_all(
        "#work button:visible, #work a.button:visible, #work .option:visible"
    ):
        box = control.bounding_box()
        if box and box["width"] > 1:
            assert box["height"] >= 44, f"{name}: {control.inner_text()}"


def receive(fake: FakePlatform) -> None:
    """Give the person two tries: one to appeal about, one with an appeal and the owner's decision."""
    person_id = str(fake.people["ada"].person_id)
    for number in range(2):
        written = {"text": f"Such a great choice, number {number}.", "label": "negative"}
        body = {"context_id": fake.loop.contexts[0]["context_id"], "input": written}
        made, _ = fake.loop.create(fake.loop.round_id, person_id, f"k-{number}", body)
        votes: list[dict[str, Any]] = [
            {
                "option": "positive",
                "agrees": False,
                "corrected": "neutral",
                "explanation": "It is plain praise.",
            },
            {"kind": "flag", "option": "flag", "reason": "A line of a song."},
            {"option": "negative", "agrees": True, "counted": False},
        ]
        appeal = {"reason": "It is irony.", "at": "2026-01-07T10:00:00Z", "answer": "Read aloud it is."}
        decided = {"resolution": "correct", "reason": "Irony after all.", "at": "2026-01-08T10:00:00Z"}
        more = {"appeal": appeal, "adjudication": decided} if number else {}
        fake.loop.receive(made["example_id"], "correct" if number else "disputed", *votes, **more)
