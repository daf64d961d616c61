"""Known facts about one example and its votes, from the event log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID


class VoteFacts(NamedTuple):
    """A vote that nobody took back; `option` is a value text, empty for a flag and unsure.

    `voter` is an id as text: votes are by far the most that is read, and text needs no making.
    """

    voter: str
    kind: str
    option: str
    counted: bool = True
    cast_at: str | None = None
    seconds: float | None = None
    agrees: bool | None = None
    corrected: str | None = None
    reason: str | None = None
    explanation: str | None = None

    @property
    def answer(self) -> str | None:
        """Return the vote's option, `flag` for a flag, None for `unsure`."""
        return None if self.kind == "unsure" else self.option or self.kind


@dataclass(frozen=True, slots=True)
class ExampleFacts:
    """A try with everything that followed.

    Texts of context, input, metadata, claim and golds are value texts. `verdict` is the author's where the task asks
    them. `author_id` is None if unknown; `resolution` is None while no decision stands. Each of `answers` has `target`,
    `value`, `wrong`, `missing` and, if it is not older, `not_asked`, `digest`, `confidence` and `probabilities`.
    `votes` are those that counted. What the log did not keep then is None. With `duplicate_of`, an earlier example that
    fooled with an equal text, the verdict is that it did not fool. `is_hidden` if its author or an owner hides it.
    """

    example_id: UUID
    author_id: UUID | None
    segment_id: UUID | None
    configuration_version: int
    context: Mapping[str, str]
    input: Mapping[str, str]
    claimed: str
    verdict: str
    answers: Sequence[Mapping[str, Any]]
    is_retracted: bool
    resolution: str | None
    golds: Sequence[str]
    metadata: Mapping[str, str]
    label_explanation: str
    model_explanation: str
    cohort: str
    condition: str
    tags: Sequence[str]
    created_at: datetime
    votes: Sequence[VoteFacts] = ()
    uncounted_votes: Sequence[VoteFacts] = ()
    duplicate_of: UUID | None = None
    context_id: UUID | None = None
    attempt: int | None = None
    assigned_label: str | None = None
    seconds_since_context: float | None = None
    probes_before: int | None = None
    inspections_before: int | None = None
    perturbation_of: UUID | None = None
    source_id: str | None = None
    is_hidden: bool = False
