"""A set of options; two sets say the same if they are equal, in whatever order they were chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dynabench_tasks.values import from_text
from dynabench_tasks.votes import Answer, Camp, VoteKind, equal_answers

from validation.domain.field_values import read_labels


@dataclass(frozen=True)
class Multilabel:
    """Some of `options`, at least one; sets of the task's `labels` can be gold."""

    name: ClassVar[str] = "multilabel"
    kind: ClassVar[VoteKind] = VoteKind.LABEL
    span_of: ClassVar[None] = None
    options: tuple[str, ...]
    labels: frozenset[str]

    def read(self, given: object, _texts: Mapping[str, str]) -> str:
        """Return the chosen set. Raises ValueRefused."""
        return read_labels(given, self.options, "value")

    def camps(self, votes: Sequence[Answer]) -> list[Camp]:
        """Return equal votes together."""
        return equal_answers(votes)

    def can_be_gold(self, option: str) -> bool:
        """Tell whether every chosen option is a label of the task."""
        return self.words(option) <= self.labels

    def confirms(self, agreed: Sequence[Answer], claimed: str) -> bool:
        """Tell whether the agreed set is the claimed one."""
        return self.words(agreed[0].option) == self.words(claimed)

    def words(self, option: str) -> frozenset[str]:
        """Return the chosen options."""
        return frozenset(from_text(option, self.name))
