"""Eligibility of examples for a dataset, and the label of each.

| example | in the dataset |
|---|---|
| withdrawn by its author, hidden, flagged or disputed | no |
| resolved with a gold | yes, in any split, under the gold |
| resolved without a gold | no |
| waits for votes, or never gets any by the task's rule | in train alone, under its author's claim, if there is one |

Under author-confirmed gold only `correct` has a gold: the agreed answers, or the claim if the votes were judgements.
Under majority gold the agreed answers are the gold, whatever the author claimed.
"""

from collections.abc import Sequence
from enum import StrEnum

from dynabench_tasks.validated_error import GoldPolicy

from scoring.domain.task_rules import TaskRules


class Standing(StrEnum):
    """The state of an example before a release."""

    GOLD = "gold"
    PENDING = "pending"
    UNCHECKED = "unchecked"
    RETRACTED = "retracted"
    HIDDEN = "hidden"
    FLAGGED = "flagged"
    DISPUTED = "disputed"
    NO_GOLD = "no_gold"

    @property
    def enters(self) -> bool:
        """Return whether such an example may enter a dataset."""
        return self in (Standing.GOLD, Standing.PENDING, Standing.UNCHECKED)


WITHHELD = frozenset({Standing.RETRACTED, Standing.HIDDEN})
"""Examples whose texts are given to nobody."""
EXCLUDED = tuple(standing for standing in Standing if not standing.enters)


def standing(
    rules: TaskRules,
    *,
    is_retracted: bool,
    verdict: str,
    resolution: str | None,
    has_golds: bool,
    has_claim: bool,
    is_hidden: bool = False,
) -> Standing:
    """Return the standing of an example.

    Pending are examples that votes are still asked for: fooling ones, or all where the task validates all.
    """
    if is_retracted or is_hidden:
        return Standing.RETRACTED if is_retracted else Standing.HIDDEN
    if resolution is None:
        if verdict == "fooled" or rules.validates_all:
            return Standing.PENDING
        return Standing.UNCHECKED if has_claim else Standing.NO_GOLD
    if resolution in (Standing.FLAGGED, Standing.DISPUTED):
        return Standing(resolution)
    if resolution == "correct" and (has_golds or has_claim):
        return Standing.GOLD
    return Standing.GOLD if rules.gold is GoldPolicy.MAJORITY and has_golds else Standing.NO_GOLD


def golds(found: Standing, resolution: str | None, agreed: Sequence[str], claimed: str) -> tuple[str, ...]:
    """Return the value texts that stand as an example's gold: none unless it has one."""
    if found is not Standing.GOLD:
        return ()
    return tuple(agreed) or ((claimed,) if resolution == "correct" else ())
