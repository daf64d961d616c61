"""A mark covers whole characters as people see them; a target's answer stays unchanged."""

import pytest
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.fields.span import SpanField
from dynabench_tasks.text import character_edges, whole_characters
from hypothesis import given
from hypothesis import strategies as st

FIELD = SpanField("answer", "Answer", of="passage")
ODD = st.text(st.sampled_from("ab \r\n\u0301\u200d👩👧🏽🇫🇷क्षि한"), min_size=1, max_size=12)


def span(text: str, start: int, end: int) -> dict[str, object]:
    return {"start": start, "end": end, "text": text[start:end]}


@pytest.mark.parametrize(
    ("text", "start", "end", "whole"),
    [
        ("a 👩‍👩‍👧 b", 2, 3, (2, 7)),
        ("Ma\u0308rchen", 0, 2, (0, 3)),
        ("Ma\u0308rchen", 2, 8, (1, 8)),
        ("one\r\ntwo", 0, 4, (0, 5)),
        ("🇫🇷🇩🇪", 1, 2, (0, 2)),
        ("👍🏽", 0, 1, (0, 2)),
    ],
)
def test_a_part_of_a_character_is_refused_with_the_whole(
    text: str, start: int, end: int, whole: tuple[int, int]
) -> None:
    with pytest.raises(InputRefused) as refused:
        FIELD.check(span(text, start, end), {"passage": text}, "input.answer")
    assert refused.value.remedy == f"Mark the whole character: from {whole[0]} to {whole[1]}."
    assert FIELD.check(span(text, *whole), {"passage": text}, "input.answer") == span(text, *whole)
    assert FIELD.check_answer(span(text, start, end), {"passage": text}, "answer") == span(text, start, end)


@given(ODD, st.data())
def test_a_stretch_made_whole_is_whole(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    first, last = whole_characters(text, start, end)
    assert first <= start < end <= last
    assert {first, last} <= set(character_edges(text))
    assert whole_characters(text, first, last) == (first, last)
