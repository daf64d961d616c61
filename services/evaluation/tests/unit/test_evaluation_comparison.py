"""Two models on the same items: counts, exact p-values, Holm."""

import csv
import gzip
import json
import os
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from evaluation.domain.comparison import compare, holm
from hypothesis import given
from hypothesis import strategies as st

DATA = os.environ.get("DYNABENCH_DATA", "")
needs_data = pytest.mark.skipif(not DATA, reason="DYNABENCH_DATA names no data folder")


@needs_data
@pytest.mark.parametrize("name", ["anli_r1", "rte"])
def test_the_published_boards_of_18_models(name: str) -> None:
    expected = json.loads((Path(DATA) / "oracle.json").read_text())["board"][name]
    with gzip.open(Path(DATA) / f"board_{name}.csv.gz", "rt") as file:
        rows = list(csv.DictReader(file))
    models = [column for column in rows[0] if column != "item"]
    right = {model: [row[model] == "1" for row in rows] for model in models}
    assert len(rows) == expected["items"]
    accuracy = {model: 100 * float(np.mean(right[model])) for model in models}
    assert {name: round(accuracy[name], 4) for name in expected["accuracy"]} == expected["accuracy"]
    p_values = {
        f"{one} {other}": compare(list(zip(right[one], right[other], strict=True)), 0).mcnemar_p
        for one, other in combinations(models, 2)
    }
    assert len(p_values) == expected["pairs"]
    assert sum(p < 0.05 for p in p_values.values()) == expected["pairs_exact_mcnemar_below_.05"]
    assert sum(p < 0.05 for p in holm(p_values).values()) == expected["pairs_holm_below_.05"]
    by_rank = sorted(models, key=lambda model: -accuracy[model])
    rivals = {"first_against_second": by_rank[1], "first_against_roberta_large": "roberta-large"}
    for key, other in rivals.items():
        one = by_rank[0]
        found = compare(list(zip(right[one], right[other], strict=True)), 0)
        assert (found.only_first, found.only_second) == (
            expected[key]["only_first"],
            expected[key]["only_second"],
        )
        assert found.mcnemar_p == pytest.approx(expected[key]["exact_mcnemar_p"], rel=1e-4)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60))
def test_counts_add_up_and_everything_is_finite(pairs: list[tuple[bool, bool]]) -> None:
    found = compare(pairs, 0)
    assert found.both + found.only_first + found.only_second + found.neither == found.n == len(pairs)
    assert 0 <= found.mcnemar_p <= 1
    assert -100 <= found.low <= found.difference <= found.high <= 100
    turned = compare([(second, first) for first, second in pairs], 0)
    assert turned.difference == pytest.approx(-found.difference)
    assert turned.mcnemar_p == pytest.approx(found.mcnemar_p)


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1), max_size=8))
def test_holm_never_makes_smaller_and_keeps_the_order(p_values: dict[str, float]) -> None:
    found = holm(p_values)
    assert all(found[name] >= p for name, p in p_values.items())
    by_size = sorted(p_values, key=lambda name: p_values[name])
    assert all(found[one] <= found[other] for one, other in pairwise(by_size))
