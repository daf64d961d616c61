"""Texts that are equal for a reader, and texts that are not."""

import string

import pytest
from dynabench_tasks.equal_texts import comparable, near_digest_of, nearly_comparable

SENTENCE = "Lovely, another hour on hold with that charming music of theirs."


@pytest.mark.parametrize(
    "other",
    [
        "LOVELY, another hour on hold with that charming music of theirs.",
        "  Lovely,  another hour\ton hold with that\ncharming music of theirs. ",
        "Lovely, another hour on hold with that charm ing music of theirs .",
        "Lo\u200bvely, an\u2060other hour on hold with th\ufeffat charming music of theirs.",
        "Lovely, another \u202ehour\u202c on hold \u200fwith that charming music of theirs.",
        "Lovely, another hour on ho\u00adld with that char\u034fming mu\ufe0fsic of theirs.",
        "L\u043evely, \u0430nother hour on hold with th\u0430t ch\u0430rming mu\u0455i\u0441 of their\u0455.",
        "L\u03bfvely, another h\u03bfur on h\u03bfld with that charming music of theirs.",
        "\uff2c\uff4f\uff56\uff45\uff4c\uff59, another hour on hold with that charming music of theirs.",
        "\U0001d40bovely, another hour on hold with that charming music of theirs\u2024",
        "\u216covely, another hour on hold with that charming music of theirs.",
        "Lovely, another hour on hold with that charming music of theirs.\U000e0041",
    ],
)
def test_what_a_reader_does_not_see_makes_no_difference(other: str) -> None:
    assert comparable(other) == comparable(SENTENCE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It was tall.", "It was tail."),
        ("Room 10", "Room IO"),
        ("naive", "na\u00efve"),
        ("good", "goods"),
        ("It is fine.", "It is fine!"),
        ("\u043f\u0440\u0438\u0432\u0435\u0442", "\u043f\u0440\u0435\u0432\u0435\u0442"),
        ("\U0001f642", "\U0001f641"),
        ("\u4eca\u65e5", "\u660e\u65e5"),
    ],
)
def test_what_a_reader_sees_does(one: str, other: str) -> None:
    assert comparable(one) != comparable(other)


def test_a_capital_that_looks_like_an_i_is_one() -> None:
    for capital in "\u0399\u0406\u04c0":
        assert comparable(f"{capital} was late.") == comparable("I was late.")


NEAR = (
    *(f"{SENTENCE}{mark}" for mark in string.punctuation),
    *(f"{mark} {SENTENCE}" for mark in "\u00bf\u2026\u3002\u2014\u00ab"),
    SENTENCE.replace(",", ""),
    SENTENCE.replace(" ", "-"),
    SENTENCE.replace("o", "\u00f6").replace("e", "e\u0301"),
    SENTENCE.upper().replace(" ", " | "),
)


@pytest.mark.parametrize("other", NEAR)
def test_punctuation_and_accents_make_no_text_another(other: str) -> None:
    assert near_digest_of({"text": other}) == near_digest_of({"text": SENTENCE})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It was tall.", "It was tail."),
        ("It costs 1.5", "It costs 15"),
        ("2 < 3", "2 > 3"),
        ("Fine \U0001f642", "Fine \U0001f644"),
        ("?!", "..."),
        ("\u0915\u093f", "\u0915\u0940"),
        ("\u304b", "\u304c"),
        ("", "a"),
    ],
)
def test_what_changes_a_text_stays(one: str, other: str) -> None:
    assert nearly_comparable(one) != nearly_comparable(other)
