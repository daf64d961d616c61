"""The certainty of a target's answer."""

from typing import Any

import pytest
from dynabench_tasks.certainty import margin, smallest_margin


@pytest.mark.parametrize(
    ("value", "probabilities", "confidence", "lead"),
    [
        # One of several labels: the lead of the first over the second.
        ("a", {"a": 0.4, "b": 0.35, "c": 0.25}, 0.4, 0.05),
        ("negative", {"negative": 0.2, "neutral": 0.45, "positive": 0.35}, 0.2, 0.1),
        # Only one label leaves nothing to lead over.
        ("a", {"a": 1.0}, 1.0, None),
        # A set of labels is as sure as its least sure label, chosen or not; as value text too.
        (["art"], {"art": 0.9, "sport": 0.4}, 0.6, 0.2),
        ('["a","b"]', {"a": 0.9, "b": 0.6, "c": 0.1}, 0.6, 0.2),
        ('["a"]', {"a": 0.9, "b": 0.1, "c": 0.45}, None, 0.1),
        # With the answer's own probability alone: its lead over all else together.
        ({"start": 0, "end": 1, "text": "a"}, {}, 0.75, 0.5),
        ('{"end":3}', {}, 0.6, 0.2),
        ('{"end":3}', {}, 0.3, 0.0),
        ("free text", {}, 0.25, 0.0),
        # A target that gives no number says nothing.
        ("free text", {}, None, None),
    ],
)
def test_the_margin_is_the_lead_of_the_answer(
    value: Any, probabilities: dict[str, float], confidence: float | None, lead: float | None
) -> None:
    assert margin(value, probabilities, confidence) == (lead if lead is None else pytest.approx(lead))


def test_the_smallest_margin_is_that_of_the_least_sure_target() -> None:
    assert smallest_margin([0.8, 0.1, None]) == 0.1
    assert smallest_margin([None]) is None
    assert smallest_margin([]) is None
