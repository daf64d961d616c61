"""Coefficients of agreement: worked by hand, compared with another implementation, and on published votes."""

import gzip
import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import krippendorff
import pytest
from dynabench_tasks.statistics.agreement import (
    NO_PAIRS,
    ONE_OPTION,
    SPANS,
    UNEQUAL_VOTES,
    Agreement,
    agreement,
    raw_agreement,
)
from dynabench_tasks.statistics.vote_table import Pattern, option_pattern, table_of
from hypothesis import assume, given
from hypothesis import strategies as st

DATA = os.environ.get("DYNABENCH_DATA", "")
needs_data = pytest.mark.skipif(not DATA, reason="DYNABENCH_DATA names no data folder")
FIGURES = ("raw", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1")


def figures(votes: Sequence[str]) -> Agreement:
    """Return the figures of examples whose votes are letters, "aab" being three votes on one."""
    return agreement(table_of((option_pattern(each), 1) for each in votes))


@pytest.mark.parametrize(
    ("votes", "raw", "kappa", "alpha", "ac1"),
    [
        # P = (1 + 1/3 + 1) / 3, shares 5/9 and 4/9. Kappa (63 - 41) / (81 - 41), AC1 (63 - 40) / (81 - 40);
        # alpha: the pairs within examples give 3 + 1 + 3 of 9, so 1 - 8 · (9 - 7) / (81 - 25 - 16).
        (["aaa", "aab", "bbb"], 7 / 9, 22 / 40, 24 / 40, 23 / 41),
        # The votes are opposite: as far from agreement as two people can be.
        (["ab", "ba"], 0, -1, -1 / 2, -1),
        (["aa", "bb"], 1, 1, 1, 1),
        # Unequal numbers. Alpha: 8 votes on pairable examples, 6 and 2, pairs give 2 + 0 + 2: 1 - 7 · 4 / 24.
        # AC1: mean shares (1 + 1/2 + 3/4 + 0) / 4 = 9/16, chance 2 · 63/256: (128 - 126) / (256 - 126).
        (["aa", "ab", "aaab", "b"], 1 / 2, None, -1 / 6, 1 / 65),
        # Nearly everybody says the same: kappa falls to nothing, AC1 does not.
        (["aa"] * 18 + ["ab", "ba"], 0.9, 1 - 0.1 / 0.095, 1 - 39 * 4 / 152, 1 - 0.1 / 0.905),
    ],
)
def test_worked_by_hand(
    votes: Sequence[str], raw: float, kappa: float | None, alpha: float, ac1: float
) -> None:
    found = figures(votes)
    expected = dict(zip(FIGURES, (raw, kappa, alpha, ac1), strict=True))
    for name, value in expected.items():
        assert getattr(found, name).value == (None if value is None else pytest.approx(value)), name
    assert found.raw.n == sum(len(each) >= 2 for each in votes)


def test_a_table_of_fourteen_raters() -> None:
    """Ten subjects, fourteen raters and five categories: kappa 0.210 with P 0.378."""
    rows = [
        "eeeeeeeeeeeeee",
        "bbccccccddddee",
        "cccdddddeeeeee",
        "bbbcccccccccdd",
        "aabbccccccccde",
        "aaaaaaabbbbbbb",
        "aaabbccccccddd",
        "aabbbbbcccddee",
        "aaaaaabbbbbccd",
        "bbccdddeeeeeee",
    ]
    found = figures(rows)
    assert (round(found.raw.value or 0, 3), round(found.fleiss_kappa.value or 0, 3)) == (0.378, 0.210)


def test_four_raters_who_left_items_out() -> None:
    """Twelve items, the last rated once, which AC1 alone looks at: alpha 0.743, AC1 0.775, raw 0.818."""
    items = ["111", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", "555", "11", "3"]
    found = figures(items)
    assert [round(getattr(found, name).value or 0, 3) for name in FIGURES] == [0.818, 0, 0.743, 0.775]
    assert found.fleiss_kappa.reason == UNEQUAL_VOTES


@pytest.mark.parametrize(
    ("votes", "reasons"),
    [
        # Nothing to compare.
        ([], [NO_PAIRS] * 4),
        (["a", "b"], [NO_PAIRS] * 4),
        # One option: all agree, and nothing could have shown disagreement beyond chance.
        (["aa", "aa"], [None, *[ONE_OPTION] * 3]),
        (["aaa", "aa"], [None, UNEQUAL_VOTES, ONE_OPTION, ONE_OPTION]),
        # The second option is on an example with a single vote, which only AC1 looks at.
        (["aa", "b"], [None, ONE_OPTION, ONE_OPTION, None]),
    ],
)
def test_an_undefined_coefficient_has_a_reason(votes: Sequence[str], reasons: Sequence[str | None]) -> None:
    found = figures(votes)
    assert [getattr(found, name).reason for name in FIGURES] == list(reasons)
    for name in FIGURES:
        figure = getattr(found, name)
        assert (figure.value is None) == (figure.reason is not None)


def test_spans_have_raw_agreement_alone() -> None:
    found = agreement(table_of([(Pattern(3, 2, {}), 1), (Pattern(2, 2, {}), 1)]), are_spans=True)
    assert found.raw.value == pytest.approx((1 / 3 + 1) / 2)
    assert [getattr(found, name).reason for name in FIGURES[1:]] == [SPANS] * 3


VOTES = st.lists(st.text("abcd", min_size=1, max_size=6), min_size=1, max_size=30)


@given(VOTES)
def test_alpha_is_that_of_another_implementation(votes: list[str]) -> None:
    used = Counter("".join(each for each in votes if len(each) >= 2))
    assume(len(used) >= 2)
    counts = [[each.count(option) for option in "abcd"] for each in votes]
    expected = krippendorff.alpha(value_counts=counts, level_of_measurement="nominal")
    assert figures(votes).krippendorff_alpha.value == pytest.approx(expected, abs=1e-9)


@given(VOTES, st.randoms(use_true_random=False))
def test_neither_order_nor_names_matter(votes: list[str], dice: Any) -> None:
    shuffled = ["".join(dice.sample(each, len(each))) for each in votes]
    dice.shuffle(shuffled)
    renamed = [each.translate(str.maketrans("abcd", "wxyz")) for each in shuffled]
    assert figures(shuffled) == figures(votes)
    for name in FIGURES:
        one, other = getattr(figures(votes), name), getattr(figures(renamed), name)
        assert (one.n, one.reason) == (other.n, other.reason)
        assert one.value == (None if other.value is None else pytest.approx(other.value, abs=1e-12))


@given(VOTES)
def test_raw_agreement_has_a_value_wherever_two_vote_and_the_others_are_numbers_up_to_one(
    votes: list[str],
) -> None:
    has_pairs = any(len(each) >= 2 for each in votes)
    assert (figures(votes).raw.value is not None) == has_pairs
    for name in FIGURES:
        value = getattr(figures(votes), name).value
        assert value is None or -10 <= value <= 1 + 1e-12


def rows(name: str) -> list[dict[str, Any]]:
    with gzip.open(Path(DATA) / name, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@needs_data
@pytest.mark.parametrize("part", ["r1_dev", "r2_dev"])
def test_published_votes_of_five_people(part: str) -> None:
    oracle = json.loads((Path(DATA) / "oracle.json").read_text())[f"dynasent_{part}"]
    given_votes = [row["label_distribution"] for row in rows(f"replay_dynasent_{part}.jsonl.gz")]
    counts = [{option: len(voters) for option, voters in each.items() if voters} for each in given_votes]
    found = agreement(table_of((option_pattern(Counter(each).elements()), 1) for each in counts))
    assert round(found.fleiss_kappa.value or 0, 3) == oracle["fleiss_kappa"]
    assert found.raw.n == oracle["n"]
    assert Counter(str(max(each.values())) for each in counts) == oracle["max_vote"]


@needs_data
def test_published_votes_under_an_adaptive_policy() -> None:
    """Of the first two votes; over all votes raw agreement could not be 1 or 1/3 for every example alike."""
    votes = [row["verifier labels"] for row in rows("replay_anli_r1_dev.jsonl.gz")]
    same = sum(each[0] == each[1] for each in votes)
    assert raw_agreement(table_of((option_pattern(each[:2]), 1) for each in votes)).value == same / len(votes)
