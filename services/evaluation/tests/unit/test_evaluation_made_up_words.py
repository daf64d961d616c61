"""Made-up words: what they look like, and what is taken for one."""

import math

import pytest
from evaluation.domain.canaries import (
    CONSONANTS,
    LETTERS,
    SYLLABLES,
    VOWELS,
    canaries,
    made_up_word,
    shaped_words,
)
from evaluation.domain.items import Item

WORD = "bigalomerusavotinepa"


def test_nobody_guesses_one() -> None:
    assert SYLLABLES * math.log2(len(CONSONANTS) * len(VOWELS)) >= 60
    words = {made_up_word() for _ in range(1000)}
    assert len(words) == 1000
    assert {len(word) for word in words} == {LETTERS}
    assert shaped_words([" ".join(words)]) == words


@pytest.mark.parametrize(
    "text",
    [
        WORD,
        WORD.upper(),
        f"https://example.org/{WORD}?q=1",
        f"“{WORD.title()}”, he said",
        f"a\u00a0{WORD}\u3000b",
        f"词{WORD}词",
        f'{{"text": "{WORD}"}}',
    ],
)
def test_a_word_is_found_whatever_stands_around_it(text: str) -> None:
    assert shaped_words([text]) == {WORD}


@pytest.mark.parametrize(
    "text", ["", f"{WORD}x", f"x{WORD}", WORD[2:], f"{WORD}ba", f"{WORD[:9]}-{WORD[9:]}"]
)
def test_what_is_longer_shorter_or_parted_is_none(text: str) -> None:
    assert shaped_words([text]) == frozenset()


def item(number: int, **written: object) -> Item:
    return Item(f"i{number}", {"prompt": "Look:"}, written or {"text": "A b."}, ("x",), "c")  # type: ignore[arg-type]


def test_the_word_stands_in_what_is_written_rather_than_in_the_context() -> None:
    for word, request in canaries([item(number) for number in range(9)], ["prompt", "text"]).items():
        assert word in str(request.input["text"]).split()
        assert request.context == {"prompt": "Look:"}
    for word, request in canaries([item(0, image="x.png")], ["prompt"]).items():
        assert request.context["prompt"] == f"Look: {word}"
        assert request.input == {"image": "x.png"}


def test_without_a_text_there_is_none() -> None:
    assert canaries([item(0)], []) == {}
    assert canaries([], ["text"]) == {}
