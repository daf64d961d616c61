"""The picture of a public example: what it shows, how long it is kept, and when it is gone."""

import json
from typing import Any

import pytest
from web.kit import pictures
from web_fake_examples import EXAMPLE_ID, TEXTS
from web_fake_platform import FakePlatform
from web_visiting import Visitor

PICTURE = f"/examples/{EXAMPLE_ID}/picture.png"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Return what is drawn from now on, instead of drawing it."""
    found: list[dict[str, Any]] = []

    def draw(shown: str) -> bytes:
        found.append(json.loads(shown))
        return b"PNG"

    monkeypatch.setattr(pictures, "_drawn", draw)
    return found


def words_of(shown: dict[str, Any]) -> str:
    parts = [shown["above"], shown["heading"], shown["text"], *shown["below"]]
    return " | ".join(each["words"] for each in parts).translate({0x2068: None, 0x2069: None, 0xA0: " "})


def test_the_picture_shows_what_the_card_shows(visitor: Visitor, drawn: list[dict[str, Any]]) -> None:
    answer = visitor.get(PICTURE)
    assert answer.content_type == "image/png"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert words_of(drawn[0]) == (
        f"Sentiment | An example that fooled both models | “{TEXTS[0]}” | People say negative. | "
        "Both models said positive (91 %, 87 %)."
    )


def test_the_page_names_the_picture(visitor: Visitor) -> None:
    page = visitor.get(f"/examples/{EXAMPLE_ID}").text
    assert f'property="og:image" content="http://localhost{PICTURE}"' in page
    assert 'content="summary_large_image"' in page


def test_a_known_picture_is_not_drawn_again(visitor: Visitor, drawn: list[dict[str, Any]]) -> None:
    tag = visitor.get(PICTURE).headers["ETag"]
    again = visitor.get(PICTURE, **{"If-None-Match": tag})
    assert again.status_code == 304
    assert again.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert len(drawn) == 1


def test_a_changed_picture_has_another_tag(
    visitor: Visitor, drawn: list[dict[str, Any]], fake: FakePlatform
) -> None:
    tag = visitor.get(PICTURE).headers["ETag"]
    fake.showcase.items[0]["task_title"] = "Feelings"
    assert visitor.get(PICTURE, **{"If-None-Match": tag}).status_code == 200
    assert len(drawn) == 2


def test_a_hidden_example_loses_its_picture_at_once(
    visitor: Visitor, drawn: list[dict[str, Any]], fake: FakePlatform
) -> None:
    first = visitor.get(PICTURE)
    assert "no-cache" in first.headers["Cache-Control"]
    fake.showcase.hidden[EXAMPLE_ID] = "It names somebody."
    assert visitor.get(PICTURE).status_code == 404
    assert visitor.get(PICTURE, **{"If-None-Match": first.headers["ETag"]}).status_code == 404


def test_a_notice_holds_the_text_back(
    visitor: Visitor, drawn: list[dict[str, Any]], fake: FakePlatform
) -> None:
    fake.loop.add("hate-speech")
    example_id = fake.showcase.add("hate-speech", {}, {"text": "They should go home."}, "hateful")
    visitor.get(f"/examples/{example_id}/picture.png")
    words = words_of(drawn[0])
    assert "go home" not in words
    assert "may be hateful towards groups" in words
    assert "Open the page to read the text." in words
    assert "hateful." not in words
