"""What the log says about one example and the votes on it, as far as it is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class VoteFacts:
    """A vote that nobody took back; `option` is a value text, empty for a flag and unsure."""

    voter_id: UUID
    kind: str
    option: str
    counted: bool


@dataclass(frozen=True, slots=True)
class ExampleFacts:
    """A try with everything that followed.

    Texts of context, input, claim and golds are value texts. `verdict` is the author's where the task asks them.
    `author_id` is None if unknown; `resolution` is None while no decision stands. Each of `answers` has `target`,
    `value`, `wrong` and `missing`.
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
    label_explanation: str
    model_explanation: str
    cohort: str
    condition: str
    tags: Sequence[str]
    created_at: datetime
    votes: Sequence[VoteFacts] = ()
