"""Texts with what was changed and what was marked in them."""

import pytest
from web.kit.marked_text import Mark, marked_text
from web.kit.word_diff import word_diff

TEXT = "🙂 e\u0301t Orsa"


@pytest.mark.parametrize(
    ("before", "after", "kinds"),
    [
        ("a b c", "a b c", ["same"]),
        ("", "new", ["added"]),
        ("gone", "", ["removed"]),
        ("five minutes away", "five hours away", ["same", "removed", "added", "same"]),
        ("a b", "x y", ["removed", "added"]),
        ("It's good.", "It's good, 🙂.", ["same", "added", "same"]),
    ],
)
def test_a_diff_goes_by_words(before: str, after: str, kinds: list[str]) -> None:
    pieces = word_diff(before, after)
    assert [piece.kind for piece in pieces] == kinds
    assert "".join(piece.text for piece in pieces if piece.kind != "added") == before
    assert "".join(piece.text for piece in pieces if piece.kind != "removed") == after


def test_marks_count_code_points_and_may_overlap() -> None:
    marks = [Mark("You", "own-mark", "é", 2, 5), Mark("m", "other-mark", "t Orsa", 4, 10)]
    text = marked_text("Passage", TEXT, marks)
    assert "".join(stretch.text for stretch in text.stretches) == TEXT
    assert [(stretch.text, stretch.styles) for stretch in text.stretches] == [
        ("🙂 ", ""),
        ("e\u0301", "own-mark"),
        ("t", "own-mark other-mark"),
        (" Orsa", "other-mark"),
    ]


def test_a_mark_outside_of_its_text_is_left_out() -> None:
    assert marked_text("Passage", "short", [Mark("m", "other-mark", "?", 3, 99)]).marks == []
