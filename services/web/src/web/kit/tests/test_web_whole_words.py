"""Marks that cut a word are recognised in any script."""

import pytest
from web.kit.whole_words import whole_words


@pytest.mark.parametrize(
    ("text", "marked", "whole"),
    [
        ("the largest lake of all", "largest la", "largest lake"),
        ("the largest lake of all", "gest lake", "largest lake"),
        ("the largest lake of all", "largest lake", "largest lake"),
        ("Anna's bakery", "Anna", "Anna"),
        ("a half-open door", "open", "open"),
        ("in 1902, paraffin", "190", "1902"),
        ("un caf\u0065\u0301 noir", "cafe", "cafe\u0301"),
        # Scripts without blanks between words have no edges that a mark could miss.
        ("\u6771\u4eac\u306b\u4f4f\u3080", "\u4eac\u306b", "\u4eac\u306b"),
        ("\u0e1a\u0e49\u0e32\u0e19\u0e43\u0e2b\u0e0d\u0e48", "\u0e1a\u0e49\u0e32", "\u0e1a\u0e49\u0e32"),
    ],
)
def test_the_whole_words_of_a_mark(text: str, marked: str, whole: str) -> None:
    at = text.index(marked)
    start, end = whole_words(text, at, at + len(marked))
    assert text[start:end] == whole
