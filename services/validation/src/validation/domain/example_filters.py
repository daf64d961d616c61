"""Filters on a round's examples, for people who manage its task."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from dynabench_tasks.verdict import Verdict

from validation.domain.owner_work import Disagreement


class Became(StrEnum):
    """The resolution of an example, or the reason why it has none."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    FLAGGED = "flagged"
    DISPUTED = "disputed"
    NO_CLAIM = "no_claim"
    WAITING = "waiting"
    UNASKED = "unasked"
    RETRACTED = "retracted"


@dataclass(frozen=True)
class ExampleFilter:
    """Conditions on an example; None matches anything.

    `text` contains words that the context or the input must all have, or begin with; `tag` is one of the context's
    tags.
    """

    text: str | None = None
    verdict: Verdict | None = None
    became: Became | None = None
    tag: str | None = None
    author_id: UUID | None = None
    disagreement: Disagreement | None = None
