"""Value texts: one text per value, and back."""

import pytest
from dynabench_tasks.fields import from_text
from dynabench_tasks.values import Value, to_text


@pytest.mark.parametrize(
    ("type_name", "value", "text"),
    [
        ("string", '{"not": "JSON to us"}', '{"not": "JSON to us"}'),
        ("multiclass", "negative", "negative"),
        ("multilabel", ["culture", "économie"], '["culture","économie"]'),
        ("span", {"text": "a 😡", "start": 0, "end": 3}, '{"end":3,"start":0,"text":"a 😡"}'),
        ("probabilities", {"b": 0.5, "a": 0.5}, '{"a":0.5,"b":0.5}'),
    ],
)
def test_a_value_has_one_text_and_comes_back(type_name: str, value: Value, text: str) -> None:
    assert to_text(value) == text
    assert from_text(text, type_name) == value


@pytest.mark.parametrize("text", ["", "plain", "3", '"quoted"'])
def test_a_text_that_is_no_value_of_the_type_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"stands for no span|Expecting value"):
        from_text(text, "span")
