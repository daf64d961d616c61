"""Near duplicates: the similarity of two texts, and the bands that find similar ones."""

import random
from uuid import UUID, uuid4

import pytest
from dynabench_tasks.near_duplicates import (
    BANDS,
    LEAST_SIMILARITY,
    bands_of,
    shingles_of,
    similarity,
)

ROUND = UUID("0195c1f0-0000-7000-8000-0000000000aa")


@pytest.mark.parametrize(
    "other",
    [
        "THE SOUP WAS COLD, AND THE WAITER PROUD OF IT.",
        "  The soup was cold,\tand the waiter\nproud of it. ",
        "The soup was cold, and\u00a0the waiter proud of it.",
        "The soup was cold, and the waiter proud of it.".replace("T", "\uff34"),
    ],
)
def test_case_white_space_and_unicode_form_make_no_difference(other: str) -> None:
    text = "The soup was cold, and the waiter proud of it."
    assert shingles_of(other) == shingles_of(text)
    assert bands_of(ROUND, shingles_of(other)) == bands_of(ROUND, shingles_of(text))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("abcde", "abcde", 1.0),
        ("abcdef", "abcdeg", 1 / 3),
        ("abc", "abc", 1.0),
        ("abc", "abd", 0.0),
        ("", "", 0.0),
        ("", "abcde", 0.0),
        ("aaaaaaaaa", "aaaaa", 1.0),
    ],
)
def test_the_similarity_is_the_share_of_common_shingles(one: str, other: str, expected: float) -> None:
    assert similarity(shingles_of(one), shingles_of(other)) == pytest.approx(expected)


def test_a_text_without_anything_visible_has_no_bands() -> None:
    assert bands_of(ROUND, shingles_of(" \n ")) == []


def test_bands_are_of_one_round_alone() -> None:
    shingles = shingles_of("The soup was cold, and the waiter proud of it.")
    assert not set(bands_of(ROUND, shingles)) & set(bands_of(uuid4(), shingles))


def test_the_bands_of_a_text_never_change() -> None:
    """They stand in databases: another value would hide every example that is there."""
    assert bands_of(ROUND, shingles_of("The soup was cold."))[:2] == [
        7425738307789236821,
        -4225937152458880195,
    ]


def pairs(generator: random.Random, changed_words: int) -> tuple[frozenset[str], frozenset[str]]:
    """Return sentences of 40 made-up words, and the same with so many words changed."""
    letters = "abcdefghijklmnopqrstuvwxyz"

    def word() -> str:
        return "".join(generator.choices(letters, k=generator.randint(2, 9)))

    words = [word() for _ in range(40)]
    changed = list(words)
    for position in generator.sample(range(40), changed_words):
        changed[position] = word()
    return shingles_of(" ".join(words)), shingles_of(" ".join(changed))


def test_bands_find_near_duplicates_and_hardly_anything_else() -> None:
    generator = random.Random(4)
    near, found = 0, 0
    for _ in range(300):
        one, other = pairs(generator, 2)
        if similarity(one, other) >= LEAST_SIMILARITY:
            near += 1
            found += bool(set(bands_of(ROUND, one)) & set(bands_of(ROUND, other)))
    strangers = [pairs(generator, 40) for _ in range(300)]
    by_chance = sum(bool(set(bands_of(ROUND, a)) & set(bands_of(ROUND, b))) for a, b in strangers)

    assert near > 100
    assert found / near > 0.99
    assert by_chance <= 1
    assert len(bands_of(ROUND, one)) == BANDS
