"""Pages on low and enlarged screens, in forced colours, on paper and over slow networks."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import web
from playwright.sync_api import Page
from web_fake_examples import EXAMPLE_ID
from web_fake_platform import FakePlatform

pytestmark = pytest.mark.slow

MOST_REQUESTS, MOST_BYTES = 12, 150_000
SHEETS = sorted(Path(web.__file__).parent.rglob("*.css"))
LONG = "Word after word stands here. " * 13


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_what_sticks_at_an_upper_or_lower_edge_does_so_on_high_screens_alone(sheet: Path) -> None:
    depth, sticky, media = 0, [], ""
    for piece in re.split(r"([{}])", sheet.read_text()):
        if piece == "{":
            depth += 1
        elif piece == "}":
            depth -= 1
            media = media if depth else ""
        elif "@media" in piece and not depth:
            media = piece
        elif re.search("position: sticky.*inset-block", piece) and "min-height" not in media:
            sticky.append(piece)
    assert not sticky


@pytest.mark.parametrize("viewport", [(390, 330), (320, 256)])
def test_the_field_is_in_sight_while_one_writes(
    viewport: tuple[int, int], sign_in: Callable[[str], None], page: Page, fake: FakePlatform
) -> None:
    task = fake.loop.add("sentiment", contexts=[{"prompt": LONG}])
    page.set_viewport_size({"width": viewport[0], "height": viewport[1]})
    sign_in(f"/rounds/{task.round_id}/create")
    page.focus("#field-text")
    page.keyboard.type("So good")
    seen = page.locator("#field-text").evaluate(
        """(field) => {
          const box = field.getBoundingClientRect();
          let seen = 0;
          for (let y = Math.max(0, box.top); y < Math.min(innerHeight, box.bottom); y += 4) {
            seen += document.elementFromPoint(box.left + box.width / 2, y) === field ? 4 : 0;
          }
          return seen;
        }"""
    )
    assert seen >= 44


def test_marks_and_weights_are_told_without_colour(creating: Page) -> None:
    creating.emulate_media(forced_colors="active")
    drawn = creating.evaluate(
        """() => {
          const styles = (name) => {
            const made = document.createElement("mark");
            made.className = name;
            document.body.append(made);
            const { backgroundColor, borderBlockEndWidth, borderBlockEndStyle } = getComputedStyle(made);
            return [backgroundColor, borderBlockEndWidth, borderBlockEndStyle].join(" ");
          };
          return ["", "own-mark", "weight for-1", "weight for-4", "weight against-4"].map(styles);
        }"""
    )
    assert len(set(drawn)) == len(drawn)


def test_paper_shows_texts_and_no_controls(creating: Page) -> None:
    creating.emulate_media(media="print", color_scheme="dark")
    assert creating.locator(".context").is_visible()
    assert not creating.locator(".site-header, .site-footer, .actions").locator("visible=true").count()
    assert creating.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_a_sentence_keeps_its_keys(sign_in: Callable[[str], None], page: Page, fake: FakePlatform) -> None:
    task = fake.loop.add("qa")
    sign_in(f"/rounds/{task.round_id}/create")
    assert page.locator("[data-span-scripted] kbd").first.is_visible()
    assert not page.locator("#try-form .actions kbd").first.is_visible()


def test_columns_of_words_have_room(sign_in: Callable[..., None], page: Page) -> None:
    sign_in("/datasets/scored", "olga")
    widths = page.locator("tbody tr:first-child .words").evaluate_all(
        "all => all.map((cell) => cell.clientWidth)"
    )
    assert widths
    assert min(widths) > 120


def test_a_page_asks_for_little(sign_in: Callable[[str], None], page: Page, fake: FakePlatform) -> None:
    sign_in("/help/keys")
    for path in (
        "/",
        f"/rounds/{fake.loop.round_id}/create",
        f"/rounds/{fake.loop.round_id}/validate",
        "/models",
        "/datasets",
        "/examples",
        f"/examples/{EXAMPLE_ID}",
    ):
        page.goto(path, wait_until="networkidle")
        asked = page.evaluate(
            """performance.getEntriesByType("resource")
              .map((each) => [each.name, each.encodedBodySize, each.decodedBodySize])"""
        )
        assert len(asked) + 1 <= MOST_REQUESTS, asked
        assert sum(sent for _name, sent, _held in asked) <= MOST_BYTES, asked
        texts = [sizes for name, *sizes in asked if name.endswith((".js", ".css"))]
        assert all(sent < held for sent, held in texts), "not compressed"
