"""Eligibility of examples for a dataset and their labels, as tables."""

import pytest
from dynabench_tasks.validated_error import GoldPolicy
from scoring.domain.eligibility import Standing, golds, standing
from scoring.domain.task_rules import TaskRules

AUTHOR, MAJORITY = TaskRules(), TaskRules(gold=GoldPolicy.MAJORITY)
ALL = TaskRules(validates_all=True)


@pytest.mark.parametrize(
    ("rules", "verdict", "resolution", "agreed", "claimed", "expected", "stands"),
    [
        # Confirmed by votes: the agreed answer is the gold.
        (AUTHOR, "fooled", "correct", ["neg"], "neg", Standing.GOLD, ("neg",)),
        # Judged correct: nothing but the claim can be the gold.
        (AUTHOR, "fooled", "correct", [], "neg", Standing.GOLD, ("neg",)),
        # Votes against the author make no gold where the author must be confirmed ...
        (AUTHOR, "fooled", "incorrect", ["pos"], "neg", Standing.NO_GOLD, ()),
        # ... and are the gold where the majority decides.
        (MAJORITY, "fooled", "incorrect", ["pos"], "neg", Standing.GOLD, ("pos",)),
        (MAJORITY, "unknown", "no_claim", ["pos"], "", Standing.GOLD, ("pos",)),
        (AUTHOR, "unknown", "no_claim", ["pos"], "", Standing.NO_GOLD, ()),
        # An option that is no label of the task can win; then there is no gold.
        (MAJORITY, "fooled", "incorrect", [], "neg", Standing.NO_GOLD, ()),
        (MAJORITY, "fooled", "flagged", [], "neg", Standing.FLAGGED, ()),
        (AUTHOR, "fooled", "disputed", [], "neg", Standing.DISPUTED, ()),
        # Fooling examples wait for votes; the others only where everything is validated.
        (AUTHOR, "fooled", None, [], "neg", Standing.PENDING, ()),
        (AUTHOR, "not_fooled", None, [], "neg", Standing.UNCHECKED, ()),
        (ALL, "not_fooled", None, [], "neg", Standing.PENDING, ()),
        # Nobody says what it is, and nobody will.
        (AUTHOR, "unknown", None, [], "", Standing.NO_GOLD, ()),
    ],
)
def test_where_an_example_stands(
    rules: TaskRules,
    verdict: str,
    resolution: str | None,
    agreed: list[str],
    claimed: str,
    expected: Standing,
    stands: tuple[str, ...],
) -> None:
    found = standing(
        rules,
        is_retracted=False,
        verdict=verdict,
        resolution=resolution,
        has_golds=bool(agreed),
        has_claim=bool(claimed),
    )
    assert found is expected
    assert golds(found, resolution, agreed, claimed) == stands


def test_what_its_author_withdrew_is_out_whatever_the_votes_say() -> None:
    found = standing(
        MAJORITY, is_retracted=True, verdict="fooled", resolution="correct", has_golds=True, has_claim=True
    )
    assert found is Standing.RETRACTED
    assert not found.enters
