"""The resolution of an example, and its owner's and its author's reactions to it."""

from dataclasses import dataclass
from datetime import datetime

from dynabench_tasks.resolution import Resolution
from dynabench_tasks.votes import VoteAnswer

from validation.domain.identifiers import PersonId


@dataclass(frozen=True)
class Outcome:
    """The resolution of an example, until votes are withdrawn or its owner decides.

    `agreed_option` is the earliest of the agreed answers; `golds` are those that can stand as gold.
    """

    resolution: Resolution
    agreed_option: str
    votes_counted: int
    golds: tuple[str, ...]
    resolved_at: datetime

    @property
    def agreed_is_task_label(self) -> bool:
        """Return whether the agreed option is an answer of the task."""
        return bool(self.golds)


@dataclass(frozen=True)
class Adjudication:
    """The decision of the task's owner, which replaces the votes until it is reversed."""

    answer: VoteAnswer
    reason: str
    decided_by: PersonId
    decided_at: datetime


@dataclass(frozen=True)
class Appeal:
    """The author's disagreement with a resolution; `answer` is the owner's reply, empty while it is open."""

    reason: str
    appealed_at: datetime
    answer: str = ""
    answered_at: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Return whether the author waits for an answer."""
        return self.answered_at is None
