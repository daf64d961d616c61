"""Detection of a model whose labels have another order than the task's."""

from collections.abc import Callable

import numpy as np
import pytest
from evaluation.domain.items import Item
from evaluation.domain.metrics import Answered
from evaluation.domain.report import swapped_labels

LABELS = ("negative", "neutral", "positive")
TURNED = {"negative": "positive", "neutral": "negative", "positive": "neutral"}
BACK = {answer: gold for gold, answer in TURNED.items()}


def answered(answer_to: Callable[[int, str], str | None], items: int = 60) -> Answered:
    golds = [LABELS[number % 3] for number in range(items)]
    made = [Item(str(number), {}, {}, (gold,), str(number)) for number, gold in enumerate(golds)]
    answers = [answer_to(number, gold) for number, gold in enumerate(golds)]
    return Answered(made, answers, (), np.arange(items), LABELS)


@pytest.mark.parametrize(
    ("answer_to", "items", "swapped"),
    [
        (lambda _, gold: TURNED[gold], 60, BACK),
        (lambda number, gold: TURNED[gold] if number % 5 else gold, 60, BACK),
        (lambda _, gold: gold, 60, {}),
        (lambda _, __: "neutral", 60, {}),
        (lambda number, _: LABELS[number // 3 % 3], 60, {}),
        (lambda _, gold: TURNED[gold], 15, {}),
        (lambda number, gold: TURNED[gold] if number % 2 else None, 60, {}),
        (lambda number, gold: TURNED[gold] if number % 2 else gold, 60, {}),
    ],
    ids=[
        "all turned",
        "most turned",
        "right",
        "always one",
        "guessing",
        "too few",
        "half unanswered",
        "half right",
    ],
)
def test_labels_in_another_order_are_pointed_out(
    answer_to: Callable[[int, str], str | None], items: int, swapped: dict[str, str]
) -> None:
    assert swapped_labels(answered(answer_to, items)) == swapped
