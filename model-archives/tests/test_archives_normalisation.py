"""Text normalisation: emoji become words, and every character has its source position."""

import pytest
from model_archives.handlers.normalisation import normalise

VARIED = [
    "",
    "plain text",
    "I ❤️ it 😂👍🏽!",
    "👩‍🚀 went up",
    "e\u0301te\u0301",
    "日本語 テスト",
    "\ud83d alone",
    "a\x00b\x07",
    "🇬🇧🇫🇷",
    "\U0001f1ec",
    "☹\ufe0f",
    "5\ufe0f\u20e3",
    "\u200d\ufe0f",
]


@pytest.mark.parametrize(
    ("original", "words"),
    [
        ("so good 😂", "so good face with tears of joy"),
        ("❤️", "heart"),
        ("🖤", "black heart"),
        ("👍🏽", "thumbs up sign medium skin tone"),
        ("👩‍🚀", "woman rocket"),
        ("🇬🇧", "flag gb"),
        ("☹", "frowning face"),
        ("1️⃣", "keycap 1"),
        ("50 % © 2020", "50 % © 2020"),
    ],
)
def test_emoji_become_names(original: str, words: str) -> None:
    assert " ".join(normalise(original).normalised.split()) == words


@pytest.mark.parametrize("original", VARIED)
def test_every_character_has_its_origin(original: str) -> None:
    aligned = normalise(original)
    assert len(aligned.origins) == len(aligned.normalised)
    assert all(0 <= start < end <= len(original) for start, end in aligned.origins)
    assert list(aligned.origins) == sorted(aligned.origins)
    assert "".join(original[start:end] for start, end in dict.fromkeys(aligned.origins)) == original


@pytest.mark.parametrize("original", VARIED)
def test_the_result_can_be_encoded(original: str) -> None:
    normalise(original).normalised.encode("utf-8")


def test_a_span_is_widened_over_combining_marks() -> None:
    assert normalise("cafe\u0301 x").original_span(0, 4) == (0, 5)
