"""Numbers of a round's examples by outcome, by claimed label and by gold label. Retracted examples are left out.

Labels are counted only in tasks with claimed labels; each label of a set counts. A gold label is the answer that the
votes agreed on, whether or not it is the author's.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from dynabench_tasks.validated_error import has_gold

from leaderboard.domain.tally import Counted


class Kind(StrEnum):
    """Kinds of counts of examples."""

    OUTCOME = "outcome"
    CLAIMED = "claimed"
    GOLD = "gold"


class ExampleCountKey(NamedTuple):
    """One answer of one kind, in a round."""

    round_id: UUID
    kind: str
    name: str


class ExampleCounts(NamedTuple):
    """Examples with that answer."""

    examples: int = 0


ONE = ExampleCounts(1)


def example_count_shares(counted: Counted) -> Iterator[tuple[ExampleCountKey, ExampleCounts]]:
    """Yield what the example adds."""
    example = counted.example
    attempt, resolution = example.attempt, example.resolution
    if attempt is None or example.is_retracted:
        return
    for label in counted.rule.labels_in(attempt.claimed):
        yield ExampleCountKey(attempt.round_id, Kind.CLAIMED.value, label), ONE
    if resolution is None:
        return
    yield ExampleCountKey(attempt.round_id, Kind.OUTCOME.value, resolution.outcome.value), ONE
    if has_gold(resolution):
        for label in counted.rule.labels_in(resolution.golds[0]):
            yield ExampleCountKey(attempt.round_id, Kind.GOLD.value, label), ONE
