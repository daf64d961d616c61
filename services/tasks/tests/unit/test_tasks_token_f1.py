"""Token F1 on worked answers."""

import pytest
from dynabench_tasks.token_f1 import token_f1


@pytest.mark.parametrize(
    ("answer", "gold", "f1"),
    [
        ("The Eiffel Tower", "eiffel tower!", 1.0),
        ("in Paris", "Paris", 2 / 3),
        ("a cat sat", "the dog sat", 0.5),
        ("the the", "a", 1.0),
        ("", "Paris", 0.0),
        ("Zürich 😡", "zürich", 2 / 3),
        ("to be to", "to to be", 1.0),
        ("to to", "to", 2 / 3),
    ],
)
def test_token_f1(answer: str, gold: str, f1: float) -> None:
    assert token_f1(answer, gold) == pytest.approx(f1)
