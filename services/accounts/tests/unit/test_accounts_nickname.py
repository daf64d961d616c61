"""The rules of nicknames, and which count as one."""

from datetime import UTC, datetime
from uuid import UUID

import pytest
from accounts.domain.errors import FieldRefused
from accounts.domain.nickname import look_of, nickname

NOW = datetime(2026, 1, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["Ada", "ada lovelace", "O'Neil", "M\u00fcller-2", "\u0639\u0644\u064a", "\u738b\u5c0f", "a_b.c"]
)
def test_names_in_any_script_are_accepted(text: str) -> None:
    assert nickname(UUID(int=1), f"  {text} ", NOW).text == text


@pytest.mark.parametrize(
    "text",
    ["", "x", "a" * 31, "ada@example.org", "ada\u202eevil", "\U0001f600\U0001f600", "<b>", "---", "line\x00break",
     "Admin", "dyn4bench"[:3] + "abench", "M0derator", "Annotator 3f2a91bc", "Dynabench Team", "\u0410dmin"],
)  # fmt: skip
def test_other_characters_lengths_and_names_of_the_platform_are_refused(text: str) -> None:
    with pytest.raises(FieldRefused):
        nickname(UUID(int=1), text, NOW)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "aDA"),
        ("ada", "\u0430d\u0430"),
        ("Lion 10", "1i0n-lO"),
        ("modern", "modem"),
        ("Jos\u00e9", "Jose"),
        ("a.b", "ab"),
    ],
)
def test_names_that_look_alike_have_one_look(one: str, other: str) -> None:
    assert look_of(one) == look_of(other)


def test_different_names_have_different_looks() -> None:
    assert len({look_of(name) for name in ("ada", "bob", "adam", "\u0639\u0644\u064a", "\u738b\u5c0f")}) == 5
