"""Whether what the author claims is right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dynabench_tasks.votes import Answer, Camp, VoteKind, equal_answers

from validation.domain.field_values import read_label

JUDGED_CORRECT = "correct"
JUDGED_INCORRECT = "incorrect"


@dataclass(frozen=True)
class Judgement:
    """One of two options, whatever is claimed."""

    name: ClassVar[str] = "judgement"
    kind: ClassVar[VoteKind] = VoteKind.JUDGEMENT
    options: ClassVar[tuple[str, ...]] = (JUDGED_CORRECT, JUDGED_INCORRECT)
    span_of: ClassVar[None] = None

    def read(self, given: object, _texts: Mapping[str, str]) -> str:
        """Return the judgement. Raises ValueRefused."""
        return read_label(given, self.options, "value")

    def camps(self, votes: Sequence[Answer]) -> list[Camp]:
        """Return equal votes together."""
        return equal_answers(votes)

    def can_be_gold(self, _option: str) -> bool:
        """Return False: a judgement is no answer of the task."""
        return False

    def confirms(self, agreed: Sequence[Answer], _claimed: str) -> bool:
        """Tell whether people judged the claim to be right."""
        return agreed[0].option == JUDGED_CORRECT

    def words(self, option: str) -> frozenset[str]:
        """Return the judgement."""
        return frozenset({option})
