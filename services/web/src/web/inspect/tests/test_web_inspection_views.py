"""Explanations in print."""

import pytest
from dynabench_client.results.annotation import Inspection, Task
from web.inspect.inspection_view import inspection_view, weight_style
from web.kit.configuration import TaskRules, task_rules
from web_fake_loop import Loop


def rules(**changes: object) -> TaskRules:
    document = Loop().task("sentiment")
    document["configuration"].update(changes)
    return task_rules(Task.blank(**document))


@pytest.mark.parametrize(
    ("weight", "style"),
    [
        (1.0, "for-4"),
        (0.5, "for-2"),
        (0.1, "for-1"),
        (0.01, "weight-none"),
        (-1.0, "against-4"),
        (-0.3, "against-2"),
    ],
)
def test_weights_have_a_side_and_a_step_of_the_largest(weight: float, style: str) -> None:
    assert weight_style(weight, 1.0) == style


def test_offsets_of_an_inspection_count_code_points() -> None:
    text = "🙂 so glad"
    tokens = [
        {"field": "text", "text": "🙂", "start": 0, "end": 1, "weight": 0.5},
        {"field": "text", "text": "glad", "start": 5, "end": 9, "weight": -1},
    ]
    document = {
        "target": "m",
        "label": "positive",
        "tokens": tokens,
        "convergence_delta": 0.4,
        "difference": 1.0,
    }
    view = inspection_view(Inspection.blank(**document), {"text": text}, rules())
    assert "".join(piece.text for piece in view.texts[0].pieces) == text
    assert [(row.text, row.weight) for row in view.rows] == [("glad", "−1.000"), ("🙂", "+0.500")]
    assert "trust the order" in view.delta_note


def test_an_inspection_without_tokens_shows_the_text() -> None:
    view = inspection_view(Inspection.blank(target="m"), {"text": "text"}, rules())
    assert [piece.text for piece in view.texts[0].pieces] == ["text"]
