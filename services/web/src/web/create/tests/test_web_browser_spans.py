"""Marking an answer in a passage, by mouse, by touch and by keys, with emoji and combining marks in the way."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from web_chromium import PHONE
from web_fake_arena import FakeTask
from web_fake_platform import PASSWORD, FakePlatform

pytestmark = pytest.mark.slow

PASSAGE = "🙂 Die 👩‍👩‍👧 Ma\u0308rchen of Orsa 🏴‍☠️ were printed in Bjo\u0308rkö by Orsa & sons."
BOX = """([element, words, from]) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const at = element.textContent.indexOf(words, from);
  const place = (offset) => {
    walker.currentNode = element;
    let left = offset;
    while (walker.nextNode()) {
      if (left <= walker.currentNode.length) return [walker.currentNode, left];
      left -= walker.currentNode.length;
    }
  };
  const range = document.createRange();
  range.setStart(...place(at));
  range.setEnd(...place(at + words.length));
  const box = range.getBoundingClientRect();
  return {x: box.x, y: box.y + box.height / 2, width: box.width};
}"""
INPUT = "#field-answer"
STOPS = "First stop: Paris.\r\nSecond stop: Paris.\r\nThird stop: Paris."


@pytest.fixture
def qa(fake: FakePlatform) -> FakeTask:
    return fake.loop.add("qa", contexts=[{"passage": PASSAGE}, {"passage": "Another passage."}])


@pytest.fixture
def asking(sign_in: Callable[[str], None], page: Page, qa: FakeTask) -> Page:
    sign_in(f"/rounds/{qa.round_id}/create")
    page.fill("#field-question", "Which one?")
    return page


@pytest.fixture
def phone(browser: Browser, site: str, qa: FakeTask) -> Iterator[Page]:
    context = browser.new_context(base_url=site, viewport=PHONE, has_touch=True)
    page = context.new_page()
    page.goto(f"/sign-in?next=/rounds/{qa.round_id}/create")
    page.fill("[name=user_name]", "ada")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    page.wait_for_url("**/create")
    page.fill("#field-question", "Which one?")
    yield page
    context.close()


def box_of(page: Page, words: str, start: int = 0) -> dict[str, float]:
    passage = page.locator(".passage").first
    passage.scroll_into_view_if_needed()
    box: dict[str, float] = passage.evaluate(
        f"(element, [words, from]) => ({BOX})([element, words, from])", [words, start]
    )
    return box


def marks(page: Page) -> str:
    return "".join(page.locator(".passage mark.own-mark").all_text_contents())


def submitted(page: Page, fake: FakePlatform) -> dict[str, Any]:
    page.click("#try-form button[value=submit]")
    expect(page.locator(".verdict")).to_be_visible()
    claimed: dict[str, Any] = next(iter(fake.loop.examples.values()))["claimed"]
    assert PASSAGE[claimed["start"] : claimed["end"]] == claimed["text"]
    return claimed


@pytest.mark.parametrize("words", ["Orsa 🏴‍☠️ were", "Ma\u0308rchen", "👩‍👩‍👧", "in Bjo\u0308rkö"])
def test_a_mouse_drag_marks(words: str, asking: Page, fake: FakePlatform) -> None:
    box = box_of(asking, words)
    asking.mouse.move(box["x"] + 1, box["y"])
    asking.mouse.down()
    asking.mouse.move(box["x"] + box["width"] / 2, box["y"], steps=4)
    asking.mouse.move(box["x"] + box["width"] - 1, box["y"], steps=4)
    asking.mouse.up()
    expect(asking.locator(INPUT)).to_have_value(words)
    assert marks(asking) == words
    assert submitted(asking, fake)["text"] == words


@pytest.mark.parametrize(
    ("drawn", "key", "marked"),
    [
        ("rsa 🏴‍☠️ we", None, "Orsa 🏴‍☠️ were"),
        ("inted in Bjo\u0308r", None, "printed in Bjo\u0308rkö"),
        ("inted in Bjo\u0308r", "Alt", "inted in Bjo\u0308r"),
    ],
)
def test_a_drag_marks_whole_words_and_with_alt_what_was_drawn(
    drawn: str, key: str | None, marked: str, asking: Page
) -> None:
    box = box_of(asking, drawn)
    if key:
        asking.keyboard.down(key)
    asking.mouse.move(box["x"] + 1, box["y"])
    asking.mouse.down()
    asking.mouse.move(box["x"] + box["width"] / 2, box["y"], steps=4)
    asking.mouse.move(box["x"] + box["width"] - 1, box["y"], steps=4)
    asking.mouse.up()
    if key:
        asking.keyboard.up(key)
    expect(asking.locator(INPUT)).to_have_value(marked)
    assert marks(asking) == marked


def test_a_mark_that_cuts_a_word_is_asked_about_in_place(asking: Page, fake: FakePlatform) -> None:
    asking.fill(INPUT, "printed in Bjo\u0308r")
    asking.click("#try-form button[value=submit]")
    expect(asking.locator(".cut-word p").first).to_be_focused()
    assert not fake.loop.examples
    asking.get_by_role("button", name="Yes, mark").click()
    expect(asking.locator(".verdict")).to_be_visible()
    assert next(iter(fake.loop.examples.values()))["claimed"]["text"] == "printed in Bjo\u0308rkö"


def test_the_second_of_two_equal_words_is_marked(asking: Page, fake: FakePlatform) -> None:
    box = box_of(asking, "Orsa", 40)
    asking.mouse.dblclick(box["x"] + box["width"] / 2, box["y"])
    expect(asking.locator(INPUT)).to_have_value("Orsa")
    assert submitted(asking, fake)["start"] == PASSAGE.rindex("Orsa")


def test_taps_name_the_first_and_the_last_word(phone: Page, fake: FakePlatform) -> None:
    for words in ("printed", "Orsa"):
        box = box_of(phone, words, 20 if words == "printed" else 40)
        phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"])
        if words == "printed":
            expect(phone.locator("[data-span-status]")).to_contain_text("Tap the last word")
    expect(phone.locator(INPUT)).to_have_value("printed in Bjo\u0308rkö by Orsa")
    assert submitted(phone, fake)["text"] == "printed in Bjo\u0308rkö by Orsa"


def test_a_long_press_selection_marks_and_may_be_adjusted(phone: Page, fake: FakePlatform) -> None:
    passage = phone.locator(".passage").first
    passage.dispatch_event("pointerdown", {"pointerType": "touch"})
    for words in ("Ma\u0308rchen", "Ma\u0308rchen of Orsa"):
        passage.evaluate(
            """(element, words) => {
              const at = element.textContent.indexOf(words);
              const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
              const place = (offset) => {
                walker.currentNode = element;
                let left = offset;
                while (walker.nextNode()) {
                  if (left <= walker.currentNode.length) return [walker.currentNode, left];
                  left -= walker.currentNode.length;
                }
              };
              getSelection().setBaseAndExtent(...place(at), ...place(at + words.length));
            }""",
            words,
        )
        expect(phone.locator(INPUT)).to_have_value(words)
    assert submitted(phone, fake)["start"] == PASSAGE.index("Ma\u0308rchen")


def test_keys_go_by_word_and_by_character(asking: Page, fake: FakePlatform) -> None:
    asking.locator(".goal").click()
    asking.keyboard.press("p")
    expect(asking.locator(".passage").first).to_be_focused()
    for _ in range(4):
        asking.keyboard.press("ArrowRight")
    expect(asking.locator("[data-span-status]")).to_have_text("Orsa")
    asking.keyboard.press("Shift+ArrowRight")
    expect(asking.locator("[data-span-status]")).to_have_text("Orsa 🏴‍☠️ were")
    asking.keyboard.press("Shift+ArrowLeft")
    asking.keyboard.press("Alt+Shift+ArrowRight")
    asking.keyboard.press("Alt+Shift+ArrowRight")
    expect(asking.locator("[data-span-status]")).to_have_text("Orsa 🏴‍☠️")
    asking.keyboard.press("Enter")
    expect(asking.locator(INPUT)).to_have_value("Orsa 🏴‍☠️")
    expect(asking.locator("[data-span-status]")).to_have_text("Marked: Orsa 🏴‍☠️")
    assert submitted(asking, fake)["start"] == PASSAGE.index("Orsa")


def test_arrows_follow_the_direction_of_the_text(
    sign_in: Callable[[str], None], page: Page, fake: FakePlatform
) -> None:
    task = fake.loop.add("qa", contexts=[{"passage": "ذهب أحمد إلى Paris أمس."}])
    sign_in(f"/rounds/{task.round_id}/create")
    page.locator(".passage").first.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-span-status]")).to_have_text("ذهب")
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator("[data-span-status]")).to_have_text("ذهب أحمد")


def test_back_over_a_combining_mark(asking: Page) -> None:
    asking.locator(".passage").first.focus()
    for _ in range(2):
        asking.keyboard.press("ArrowRight")
    expect(asking.locator("[data-span-status]")).to_have_text("Ma\u0308rchen")
    for _ in range(5):
        asking.keyboard.press("Alt+Shift+ArrowLeft")
    expect(asking.locator("[data-span-status]")).to_have_text("Ma\u0308")
    asking.keyboard.press("Alt+Shift+ArrowLeft")
    expect(asking.locator("[data-span-status]")).to_have_text("M")


def test_a_mark_can_be_cleared_and_typed(asking: Page) -> None:
    asking.fill(INPUT, "printed")
    assert marks(asking) == "printed"
    asking.click("[data-span-clear]")
    expect(asking.locator(INPUT)).to_have_value("")
    assert marks(asking) == ""
    asking.fill(INPUT, "printed on")
    assert marks(asking) == ""
    asking.fill(INPUT, "printed in")
    assert marks(asking) == "printed in"
    asking.locator(".passage").first.focus()
    asking.keyboard.press("Delete")
    expect(asking.locator(INPUT)).to_have_value("")


def test_a_mark_is_kept_as_a_draft_of_its_context(asking: Page, qa: FakeTask) -> None:
    box = box_of(asking, "Orsa", 40)
    asking.mouse.dblclick(box["x"] + box["width"] / 2, box["y"])
    expect(asking.locator("#try-form [data-draft-status]")).to_have_text("draft saved")
    asking.reload()
    expect(asking.locator(INPUT)).to_have_value("Orsa")
    expect(asking.locator("[data-span-start]")).to_have_value(str(PASSAGE.rindex("Orsa")))
    assert marks(asking) == "Orsa"
    asking.click(".context-actions > button")
    expect(asking.locator(".passage").first).to_have_text("Another passage.")
    expect(asking.locator(INPUT)).to_have_value("")


def test_a_text_that_is_being_written_can_be_marked(
    sign_in: Callable[[str], None], page: Page, fake: FakePlatform
) -> None:
    part = {"name": "part", "type": "span", "of": "text", "label": "The ironic part", "optional": True}
    task = fake.loop.add("sentiment", changes={"metadata": {"create": [part]}})
    sign_in(f"/rounds/{task.round_id}/create")
    page.fill("#field-text", "🙂 So glad to wait.")
    page.check("input[value=negative]")
    mirror = page.locator("[data-span] .passage")
    expect(mirror).to_have_text("🙂 So glad to wait.")
    mirror.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    page.click("#try-form button[value=submit]")
    expect(page.locator(".verdict")).to_be_visible()
    example = next(iter(fake.loop.examples.values()))
    assert example["metadata"] == {"part": {"start": 2, "end": 9, "text": "So glad"}}


def test_validators_mark_with_the_same_keys(
    sign_in: Callable[[str], None], page: Page, qa: FakeTask, fake: FakePlatform
) -> None:
    qa.offer({"question": "Which one?"}, {"start": 0, "end": 1, "text": "🙂"})
    sign_in(f"/rounds/{qa.round_id}/validate")
    page.keyboard.press("p")
    page.keyboard.press("End")
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator("#field-vote-value")).to_have_value("Orsa")
    page.locator("#question").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#answered-heading")).to_be_visible()
    assert fake.loop.ballots[0]["value"]["start"] == PASSAGE.rindex("Orsa")


@pytest.mark.parametrize("words", ["Paris", "Paris.\r\nThird"])
def test_offsets_are_those_of_the_stored_text(
    words: str, sign_in: Callable[[str], None], page: Page, fake: FakePlatform
) -> None:
    stops = fake.loop.add("qa", contexts=[{"passage": STOPS}])
    stops.offer({"question": "Which one?"}, {"start": 12, "end": 17, "text": "Paris"})
    start = STOPS.rindex(words)
    place = {"start": start, "end": start + len(words), "text": words}
    sign_in(f"/rounds/{stops.round_id}/create")
    page.fill("#field-question", "Which one?")
    drag(page, words, start)
    page.click("#try-form button[value=submit]")
    expect(page.locator(".verdict")).to_be_visible()
    assert list(fake.loop.examples.values())[-1]["claimed"] == place
    page.goto(f"/rounds/{stops.round_id}/validate")
    drag(page, words, start)
    page.locator("#question").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#answered-heading")).to_be_visible()
    assert fake.loop.ballots[-1]["value"] == place


def drag(page: Page, words: str, start: int) -> None:
    first, last = box_of(page, words[0], start), box_of(page, words[-1], start + len(words) - 1)
    page.mouse.move(first["x"] + 1, first["y"])
    page.mouse.down()
    page.mouse.move(last["x"], last["y"], steps=4)
    page.mouse.move(last["x"] + last["width"] - 1, last["y"], steps=4)
    page.mouse.up()


@pytest.mark.parametrize(
    ("tapped", "first", "last"), [("京都", "京都", "京"), ("ประเทศ", "ประเทศไทย", "ประเทศ")]
)
def test_a_part_of_a_word_is_marked_by_finger(
    tapped: str, first: str, last: str, phone: Page, fake: FakePlatform
) -> None:
    task = fake.loop.add("qa", contexts=[{"passage": "東京都京都市とประเทศไทย"}])
    phone.goto(f"/rounds/{task.round_id}/create")
    box = box_of(phone, tapped[0], 3 if tapped == "京都" else 0)
    phone.touchscreen.tap(box["x"] + box["width"] / 4, box["y"])
    expect(phone.locator(INPUT)).to_have_value(first)
    earlier = phone.get_by_role("button", name="End one character earlier")
    size = earlier.bounding_box()
    assert size is not None
    assert min(size["width"], size["height"]) >= 44
    for _ in range(len(first) - len(last)):
        earlier.tap()
    expect(phone.locator(INPUT)).to_have_value(last)
    phone.get_by_role("button", name="End one character later").focus()
    phone.keyboard.press("Enter")
    phone.get_by_role("button", name="Start one character later").tap()
    expect(phone.locator(INPUT)).to_have_value((first[: len(last) + 1])[1:])
