"""The first rows of a split: which are found, and how far the search goes."""

from collections.abc import Iterator
from typing import Any

import pytest
from scoring.adapters import first_rows
from scoring.adapters.first_rows import FoundRows, Wanted, column_types, find, row_of

LABELS = ["a", "b", "a", "b", "a"]


@pytest.mark.parametrize(
    ("rule", "wanted", "positions", "next_offset", "searched"),
    [
        ("the first rows, and where the next begin", Wanted(2), [0, 1], 2, 3),
        ("an offset skips rows", Wanted(2, 2), [2, 3], 4, 5),
        ("the last rows have no next ones", Wanted(2, 4), [4], None, 5),
        ("a page that ends with the split has no next one", Wanted(5), [0, 1, 2, 3, 4], None, 5),
        ("a label chooses rows", Wanted(2, 0, "a"), [0, 2], 2, 5),
        ("an offset counts only chosen rows", Wanted(2, 2, "a"), [4], None, 5),
        ("an unknown label has no rows", Wanted(2, 0, "c"), [], None, 5),
        ("an offset behind the end gives no rows", Wanted(2, 9), [], None, 5),
    ],
)
def test_the_wanted_rows_are_found(
    rule: str, wanted: Wanted, positions: list[int], next_offset: int | None, searched: int
) -> None:
    lines = [{"id": position, "label": label} for position, label in enumerate(LABELS)]
    found = find(lines, wanted)
    assert [line["id"] for line in found.lines] == positions, rule
    assert (found.next_offset, found.searched, found.is_limit_reached) == (next_offset, searched, False), rule


def test_a_search_ends_at_the_limit_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_rows, "MOST_SEARCHED", 3)
    lines = [{"label": label} for label in LABELS]
    assert find(lines, Wanted(5, 0, "a")) == FoundRows([lines[0], lines[2]], None, 3, True)
    assert find(lines[:3], Wanted(5, 0, "a")) == FoundRows([lines[0], lines[2]], None, 3, False)


def test_a_search_reads_one_row_beyond_a_page() -> None:
    read: list[int] = []

    def lines() -> Iterator[dict[str, Any]]:
        for position in range(100):
            read.append(position)
            yield {"label": "a"}

    find(lines(), Wanted(2))
    assert read == [0, 1, 2]


def test_a_label_that_is_no_text_is_chosen_by_its_value_text() -> None:
    lines: list[dict[str, Any]] = [{"label": {"start": 0, "end": 1, "text": "a"}}, {"label": None}]
    assert find(lines, Wanted(5, 0, '{"end":1,"start":0,"text":"a"}')).lines == lines[:1]


def test_a_hidden_row_is_left_out_of_pages_and_offsets() -> None:
    lines = [{"id": name, "label": "a"} for name in "pqr"]
    assert find(lines, Wanted(1, 1, left_out=frozenset("p"))).lines == lines[2:]


def test_a_row_has_the_values_of_its_columns() -> None:
    span = {"start": 0, "end": 1, "text": "a"}
    fields = {
        "context": [{"name": "passage", "type_name": "string"}],
        "input": [{"name": "question", "type_name": "string"}],
        "label": {"name": "answer", "type_name": "span"},
        "metadata": [],
    }
    columns = column_types(fields)
    line = {
        "id": "1",
        "context": {"passage": "a b"},
        "input": {"question": "Which?"},
        "label": span,
        "targets": {"bert": None, "roberta": span},
        "target_wrong": {"roberta": True},
        "votes": [],
    }
    assert columns["label"] == "span"
    assert row_of(line, columns) == {
        "id": "1",
        "context_passage": "a b",
        "input_question": "Which?",
        "label": span,
        "claimed": None,
        "targets": [
            {"name": "bert", "answer": None, "wrong": None},
            {"name": "roberta", "answer": span, "wrong": True},
        ],
        "verdict": None,
        "resolution": None,
    }
