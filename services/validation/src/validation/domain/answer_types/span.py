"""A part of a text field, marked by the validator."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dynabench_tasks.votes import Answer, Camp, VoteKind

from validation.domain.field_values import read_span
from validation.domain.spans import agrees_with_any, largest_agreeing_set


@dataclass(frozen=True)
class Span:
    """A span of the text field `span_of`."""

    name: ClassVar[str] = "span"
    kind: ClassVar[VoteKind] = VoteKind.LABEL
    options: ClassVar[tuple[str, ...]] = ()
    span_of: str

    def read(self, given: object, texts: Mapping[str, str]) -> str:
        """Return the marked span, which must be in the text. Raises ValueRefused."""
        return read_span(given, texts.get(self.span_of, ""), self.span_of, "value")

    def camps(self, votes: Sequence[Answer]) -> list[Camp]:
        """Return the flags, and the largest set of mutually agreeing spans."""
        spans = [vote.option for vote in votes if vote.kind is self.kind]
        agreed = tuple(Answer(self.kind, span) for span in largest_agreeing_set(spans))
        flags = tuple(vote for vote in votes if vote.kind is not self.kind)
        return [camp for camp in (agreed, flags) if camp]

    def can_be_gold(self, _option: str) -> bool:
        """Return True: whatever people agree to mark answers the task."""
        return True

    def confirms(self, agreed: Sequence[Answer], claimed: str) -> bool:
        """Tell whether the claimed span agrees with any agreed one."""
        return agrees_with_any(claimed, (answer.option for answer in agreed))

    def words(self, _option: str) -> frozenset[str]:
        """Return nothing: a span is none of the options."""
        return frozenset()
