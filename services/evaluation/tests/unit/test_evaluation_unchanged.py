"""Fairness and robustness: what is measured follows from the dataset, how much from the answers."""

from collections.abc import Sequence

import numpy as np
from evaluation.domain.items import Item
from evaluation.domain.metrics import Answered, VariantAnswer
from evaluation.domain.metrics.unchanged import measure
from evaluation.domain.variants import FAIRNESS, ROBUSTNESS
from hypothesis import given
from hypothesis import strategies as st

LABELS = ("negative", "positive")
ITEMS = 6
ANSWERS = st.sampled_from([None, *LABELS])
VARIANTS = st.lists(st.tuples(st.integers(0, ITEMS - 1), st.sampled_from([FAIRNESS, ROBUSTNESS])), max_size=8)


def answered(answers: Sequence[str | None], variants: Sequence[VariantAnswer]) -> Answered:
    items = [Item(str(number), {}, {}, ("negative",), str(number)) for number in range(ITEMS)]
    return Answered(items, answers, variants, np.arange(ITEMS), LABELS)


@given(VARIANTS, st.lists(ANSWERS, min_size=ITEMS, max_size=ITEMS), st.lists(ANSWERS, min_size=8, max_size=8))
def test_a_dataset_measures_of_every_model_what_it_has_variants_for(
    variants: Sequence[tuple[int, str]], answers: Sequence[str | None], others: Sequence[str | None]
) -> None:
    given_variants = [
        VariantAnswer(item, kind, "rule", answer)
        for (item, kind), answer in zip(variants, others, strict=False)
    ]
    for kind in (FAIRNESS, ROBUSTNESS):
        found = measure(answered(answers, given_variants), kind)
        concerned = {item for item, its_kind in variants if its_kind == kind}
        assert (found is None) == (not concerned)
        if found is not None:
            assert found.n == sum(answers[item] == "negative" for item in concerned)
            assert len(found.influences) == ITEMS


def test_a_model_that_gets_none_of_them_right_has_a_stated_0() -> None:
    variants = [VariantAnswer(0, FAIRNESS, "rule", "positive")]
    nothing = measure(answered(["positive"] * ITEMS, variants), FAIRNESS)
    assert nothing is not None
    assert (nothing.value, nothing.n) == (0.0, 0)
    assert "no item with a variant was answered right" in nothing.ends.reason
    one = measure(answered(["negative", *["positive"] * (ITEMS - 1)], variants), FAIRNESS)
    assert one is not None
    assert one.value >= nothing.value
