"""What kinds of answers validators give: one module each.

A task that votes by label has the answer type of its claimed field; one that votes by judgement has `judgement`
whatever is claimed.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from dynabench_tasks.votes import Answer, Camp, VoteKind


class AnswerType(Protocol):
    """Reads answers, finds those that say the same, and holds what was agreed on against the claim."""

    @property
    def name(self) -> str:
        """Return multiclass, multilabel, span or judgement."""

    @property
    def kind(self) -> VoteKind:
        """Return the kind of an ordinary vote."""

    @property
    def options(self) -> tuple[str, ...]:
        """Return what may be chosen; nothing where people mark a text."""

    @property
    def span_of(self) -> str | None:
        """Return the text field that people mark, if they do."""

    def read(self, given: object, texts: Mapping[str, str], /) -> str:
        """Return an answer as value text; `texts` are the example's fields. Raises ValueRefused."""

    def camps(self, votes: Sequence[Answer]) -> list[Camp]:
        """Return the camps among the votes that may win."""

    def can_be_gold(self, option: str, /) -> bool:
        """Tell whether the option is an answer of the task."""

    def confirms(self, agreed: Sequence[Answer], claimed: str, /) -> bool:
        """Tell whether the agreed answers say that the claim is right."""

    def words(self, option: str, /) -> frozenset[str]:
        """Return the options that an answer chose, which conditions of metadata go by."""
