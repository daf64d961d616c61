"""Rules of passwords."""

import pytest
from accounts.domain import passwords
from accounts.domain.errors import FieldRefused
from hypothesis import given
from hypothesis import strategies as st

OWN_NAMES = ("ada.lovelace", "ada.l")


@pytest.mark.parametrize(
    "password",
    [
        "violet otter canoe",
        "Tr8c-ynVw-0qLs",
        "correct horse battery staple",
        "ещё одна тайна",
        "秘密の合言葉はとても長い",
        "my dog ate 14 peas",
        "Xk9#mP2$vL",
    ],
)
def test_words_that_nobody_would_try_first_pass(password: str) -> None:
    passwords.check(password, OWN_NAMES)


@pytest.mark.parametrize(
    ("why", "password"),
    [
        ("too short", "xK9#mP2$v"),
        ("too short", ""),
        ("one character", "aaaaaaaaaaaaaa"),
        ("few characters", "abababababab"),
        ("a repeated piece", "xy7zxy7zxy7z"),
        ("digits in a row", "1234567890"),
        ("digits backwards", "9876543210"),
        ("a keyboard row", "qwertyuiop"),
        ("rows and digits", "qwertyuiop123"),
        ("the alphabet", "abcdefghijklm"),
        ("a common word", "Password123!"),
        ("a common word twice", "passwordpassword"),
        ("digits for letters", "P4ssw0rd1234"),
        ("two common words", "welcomeadmin"),
        ("a common word and a year-like run", "dragon1234567"),
        ("the platform's name", "dynabench1234"),
        ("one's own name", "ada.lovelace1"),
        ("one's own mail name", "AdA.LoveLace123"),
        ("the same character many times", "zzzzzzzzzzzzz12"),
        ("full-width letters are the same letters", "ｐａｓｓｗｏｒｄ１２３"),
    ],
)
def test_what_a_guesser_tries_first_is_refused(why: str, password: str) -> None:
    with pytest.raises(FieldRefused) as refused:
        passwords.check(password, OWN_NAMES)
    assert refused.value.field == "password", why


def test_a_password_past_200_characters_is_refused() -> None:
    with pytest.raises(FieldRefused):
        passwords.check("violet otter canoe " * 11)


def test_a_short_own_name_does_not_forbid_its_letters() -> None:
    passwords.check("bobsled team of nine", ("bob", "bob"))


@given(st.text(max_size=250), st.lists(st.text(max_size=20), max_size=2))
def test_any_text_is_either_accepted_or_refused_by_field(password: str, own_names: list[str]) -> None:
    try:
        passwords.check(password, own_names)
    except FieldRefused as refused:
        assert refused.field == "password"
