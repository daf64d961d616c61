"""How many examples of a round ended how, and how many claim or were given each label. Retracted ones are left out.

Labels are counted where labels are claimed; of a set of labels each one counts. A gold label is the answer that
the votes agreed on, whether or not it is the author's.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from dynabench_tasks.values import from_text

from leaderboard.domain.tally import Counted
from leaderboard.domain.validated_error import OUTCOMES_WITH_GOLD


class Kind(StrEnum):
    """What examples are told apart by."""

    OUTCOME = "outcome"
    CLAIMED = "claimed"
    GOLD = "gold"


class CensusKey(NamedTuple):
    """One answer of one kind, in a round."""

    round_id: UUID
    kind: str
    name: str


class CensusCounts(NamedTuple):
    """Examples with that answer."""

    examples: int = 0


ONE = CensusCounts(1)


def census_shares(counted: Counted) -> Iterator[tuple[CensusKey, CensusCounts]]:
    """Yield what the example adds."""
    example = counted.example
    attempt, resolution = example.attempt, example.resolution
    if attempt is None or example.is_retracted:
        return
    for label in _labels(attempt.claimed, counted.rule.claim_type):
        yield CensusKey(attempt.round_id, Kind.CLAIMED.value, label), ONE
    if resolution is None:
        return
    yield CensusKey(attempt.round_id, Kind.OUTCOME.value, resolution.outcome.value), ONE
    if resolution.golds and resolution.outcome in OUTCOMES_WITH_GOLD:
        for label in _labels(resolution.golds[0], counted.rule.claim_type):
            yield CensusKey(attempt.round_id, Kind.GOLD.value, label), ONE


def _labels(value: str, claim_type: str) -> Sequence[str]:
    """Return the labels that a value text names; none where no labels are claimed."""
    if claim_type == "multiclass" and value:
        return (value,)
    if claim_type != "multilabel" or not value:
        return ()
    try:
        labels = from_text(value, claim_type)
    except ValueError:
        return ()
    return sorted({str(label) for label in labels})
