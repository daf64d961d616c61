"""Explanations in print."""

import pytest
from dynabench_client.results.annotation import Inspection, Task
from web.kit.configuration import TaskRules, task_rules
from web.kit.inspection_view import inspection_view, weight_style
from web.kit.isolation import name
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
    assert "Trust the order" in view.delta_note


def test_an_inspection_without_tokens_shows_the_text() -> None:
    view = inspection_view(Inspection.blank(target="m"), {"text": "text"}, rules())
    assert [piece.text for piece in view.texts[0].pieces] == ["text"]


def test_pieces_of_a_word_are_one_word_whose_weight_is_their_sum() -> None:
    text = "unbelievably good, isn't it"
    pieces = [
        ("un", 0, 2, 0.2),
        ("believ", 2, 8, 0.3),
        ("ably", 8, 12, 0.1),
        ("good", 13, 17, -0.4),
        (",", 17, 18, 0.01),
    ]
    tokens = [
        {"field": "text", "text": words, "start": start, "end": end, "weight": weight}
        for words, start, end, weight in pieces
    ]
    found = Inspection.blank(target="m", label="positive", tokens=tokens)
    view = inspection_view(found, {"text": text}, rules())
    assert [(row.text, row.weight) for row in view.rows] == [
        ("unbelievably", "+0.600"),
        ("good", "−0.400"),
        (",", "+0.010"),
    ]
    assert "".join(piece.text for piece in view.texts[0].pieces) == text
    assert (view.towards, view.pushed, view.held_back) == (
        "positive",
        f"“{name('unbelievably')}”",
        f"“{name('good')}”",
    )


def test_signs_and_faint_words_are_not_told_as_what_pushed() -> None:
    tokens = [
        {"field": "text", "text": words, "start": start, "end": start + 1, "weight": weight}
        for words, start, weight in (("!", 0, 1.0), ("a", 2, 0.1), ("b", 4, 0.3))
    ]
    view = inspection_view(Inspection.blank(target="m", tokens=tokens), {"text": "! a b"}, rules())
    assert (view.pushed, view.held_back) == (f"“{name('b')}”", "")
