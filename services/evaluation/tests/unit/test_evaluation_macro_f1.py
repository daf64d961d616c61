"""Macro F1: its value, and intervals that hold where a label is rare."""

from collections.abc import Sequence

import numpy as np
import pytest
from dynabench_tasks.configuration.metric_choice import metrics_of
from evaluation.domain.items import Item
from evaluation.domain.metrics import Answered
from evaluation.domain.metrics.macro_f1 import measure
from evaluation.domain.report import report
from hypothesis import given
from hypothesis import strategies as st

LABELS = ("negative", "neutral", "positive")
PLACES = st.integers(0, len(LABELS) - 1)


def answered(golds: Sequence[int], answers: Sequence[int | None], clusters: Sequence[int] = ()) -> Answered:
    items = [Item(str(number), {}, {}, (LABELS[gold],), str(number)) for number, gold in enumerate(golds)]
    given_answers = [None if answer is None else LABELS[answer] for answer in answers]
    places = np.array(clusters or range(len(golds)), dtype=np.int64)
    return Answered(items, given_answers, [], places, LABELS)


def test_the_value_is_the_mean_f1_over_labels_that_occur() -> None:
    found = measure(answered([0] * 6 + [2] * 4, [0, 0, 0, 0, 0, 2, 2, 2, 2, None]))
    assert found is not None
    assert found.value == pytest.approx(100 * (2 * 5 / (6 + 5) + 2 * 3 / (4 + 4)) / 2)
    assert (found.n, len(found.influences)) == (10, 10)


def test_golds_of_one_label_have_none() -> None:
    assert measure(answered([1] * 9, [0, 1, 2] * 3)) is None


@given(st.lists(st.tuples(PLACES, PLACES), min_size=5, max_size=12))
def test_every_metric_of_the_task_has_a_value_or_a_reason(pairs: list[tuple[int, int]]) -> None:
    golds, answers = zip(*pairs, strict=True)
    names = metrics_of("multiclass")
    found = report(answered(golds, answers), names, "accuracy")
    assert {*found.values, *found.undefined} == {*names, "fairness", "robustness"}
    assert not {*found.values} & {*found.undefined}
    assert all(reason.startswith("undefined: ") for reason in found.undefined.values())
    assert ("macro_f1" in found.undefined) == (len(set(golds)) == 1)


def test_one_gold_of_a_label_is_never_a_narrow_interval() -> None:
    """All is right, so no item moves the value; yet one gold tells little about its label."""
    found = measure(answered([0] * 40 + [2], [0] * 40 + [2]))
    assert found is not None
    assert found.value == 100.0
    assert found.ends.high - found.ends.low > 20
    common = measure(answered([0] * 21 + [2] * 20, [0] * 21 + [2] * 20))
    assert common is not None
    assert common.ends.high - common.ends.low < 10


def test_influences_are_as_wide_as_the_interval_where_golds_are_few() -> None:
    golds, answers = [0] * 30 + [1] * 30 + [2] * 2, [0] * 25 + [1] * 30 + [0] * 5 + [2, 0]
    few, enough = (
        measure(answered(golds, answers)),
        measure(answered([*golds, *[2] * 4], [*answers, *[2] * 4])),
    )
    assert few is not None
    assert enough is not None
    assert np.square(few.influences).sum() > 2 * np.square(enough.influences).sum()


def test_items_of_one_context_are_worth_less() -> None:
    golds = [number % 3 for number in range(120)]
    answers = [gold if number // 4 % 4 else (gold + 1) % 3 for number, gold in enumerate(golds)]
    alone = measure(answered(golds, answers))
    shared = measure(answered(golds, answers, [number // 4 for number in range(120)]))
    assert alone is not None
    assert shared is not None
    assert shared.value == alone.value
    assert shared.ends.high - shared.ends.low > 1.5 * (alone.ends.high - alone.ends.low)


@given(st.lists(st.tuples(PLACES, st.none() | PLACES, st.integers(0, 5)), min_size=1, max_size=40))
def test_the_value_lies_within_its_interval(drawn: list[tuple[int, int | None, int]]) -> None:
    golds, answers, contexts = ([row[place] for row in drawn] for place in (0, 1, 2))
    numbers = {context: number for number, context in enumerate(dict.fromkeys(contexts))}
    found = measure(answered(golds, answers, [numbers[context] for context in contexts]))  # type: ignore[arg-type]
    if found is None:
        assert len(set(golds)) == 1
        return
    assert np.isfinite(found.influences).all()
    if not found.ends.reason:
        assert 0 <= found.ends.low <= found.value <= found.ends.high <= 100
