"""Validators' answers, and the search for equal ones."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class VoteKind(StrEnum):
    """Kinds of answers of a validator."""

    LABEL = "label"
    JUDGEMENT = "judgement"
    FLAG = "flag"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class VoteAnswer:
    """A validator's choice as a value text. `option` is empty for a flag and for `unsure`."""

    kind: VoteKind
    option: str = ""

    @property
    def is_vote(self) -> bool:
        """Return whether the answer takes a slot: `unsure` leaves it to another person."""
        return self.kind is not VoteKind.UNSURE


Camp = tuple[VoteAnswer, ...]
"""Agreeing votes in order of arrival, with repetitions."""

Camps = Callable[[Sequence[VoteAnswer]], list[Camp]]
"""Returns the camps among votes that may win."""


def equal_answers(votes: Sequence[VoteAnswer]) -> list[Camp]:
    """Return the votes grouped by equal answers."""
    camps: dict[VoteAnswer, list[VoteAnswer]] = {}
    for vote in votes:
        camps.setdefault(vote, []).append(vote)
    return [tuple(camp) for camp in camps.values()]
