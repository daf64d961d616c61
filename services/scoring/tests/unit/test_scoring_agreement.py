"""Agreement of votes, and the reason given where it is undefined."""

from random import Random

import krippendorff
import numpy as np
import pytest
from dynabench_tasks.statistics.agreement import NO_PAIRS, ONE_OPTION
from scoring.dataset.agreement import TOO_MANY, Agreement


@pytest.mark.parametrize(
    ("votes", "first_two_only", "raw", "alpha", "reason"),
    [
        # Two coders, twelve units: the example of Krippendorff, "Computing Krippendorff's alpha-reliability" (2011).
        (list(zip("aabbdcccedda", "babbbccceddd", strict=True)), False, 9 / 12, 0.6919, None),
        ([("a", "a"), ("b", "b")], False, 1.0, 1.0, None),
        ([("a", "a"), ("a", "a", "a")], False, 1.0, None, ONE_OPTION),
        # A flag is an option like another.
        ([("a", "flag"), ("a", "a")], False, 1 / 2, 0.0, None),
        # Each example counts the same, however many votes it has.
        ([("a", "a"), ("a", "b", "c")], False, 1 / 2, 0.1429, None),
        ([("a",), ()], False, None, None, NO_PAIRS),
        ([], False, None, None, NO_PAIRS),
        # The third vote exists only because the first two differ.
        ([("a", "b", "a"), ("b", "b"), ("a", "a")], True, 2 / 3, 0.4444, None),
        ([(f"answer {number}", "none") for number in range(101)], False, None, None, TOO_MANY),
    ],
)  # fmt: skip
def test_agreement(
    votes: list[tuple[str, ...]],
    first_two_only: bool,
    raw: float | None,
    alpha: float | None,
    reason: str | None,
) -> None:
    agreement = Agreement(first_two_only=first_two_only)
    for answers in votes:
        agreement.add(iter(answers))
    found = agreement.as_json()
    assert found["raw"] == (None if raw is None else pytest.approx(raw))
    assert found["krippendorff_alpha"] == (None if alpha is None else pytest.approx(alpha, abs=1e-4))
    assert found["reason"] == reason
    assert found["basis"] == ("first_two_votes" if first_two_only else "all_votes")


def test_alpha_is_that_of_the_published_implementation() -> None:
    drawn = Random(7)
    votes = [drawn.choices("abcd", (5, 3, 1, 1), k=drawn.randint(2, 5)) for _ in range(300)]
    agreement = Agreement(first_two_only=False)
    for answers in votes:
        agreement.add(answers)
    counts = np.array([[answers.count(option) for option in "abcd"] for answers in votes])
    expected = krippendorff.alpha(value_counts=counts, level_of_measurement="nominal")
    assert agreement.as_json()["krippendorff_alpha"] == pytest.approx(expected, abs=1e-12)
