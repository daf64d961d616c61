"""One of several options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dynabench_tasks.votes import Answer, Camp, VoteKind, equal_answers

from validation.domain.field_values import read_label


@dataclass(frozen=True)
class Multiclass:
    """One of `options`; those among the task's `labels` can be gold."""

    name: ClassVar[str] = "multiclass"
    kind: ClassVar[VoteKind] = VoteKind.LABEL
    span_of: ClassVar[None] = None
    options: tuple[str, ...]
    labels: frozenset[str]

    def read(self, given: object, _texts: Mapping[str, str]) -> str:
        """Return the chosen option. Raises ValueRefused."""
        return read_label(given, self.options, "value")

    def camps(self, votes: Sequence[Answer]) -> list[Camp]:
        """Return equal votes together."""
        return equal_answers(votes)

    def can_be_gold(self, option: str) -> bool:
        """Tell whether the option is a label of the task."""
        return option in self.labels

    def confirms(self, agreed: Sequence[Answer], claimed: str) -> bool:
        """Tell whether the agreed option is the claimed label."""
        return agreed[0].option == claimed

    def words(self, option: str) -> frozenset[str]:
        """Return the option."""
        return frozenset({option})
