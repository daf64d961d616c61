"""Reports about public examples, and their hiding."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from dynabench_tasks.values import Value

MOST_REPORTS = 20
WITHIN = timedelta(days=1)


class Decision(StrEnum):
    """Decisions on reports."""

    HIDDEN = "hidden"
    KEPT = "kept"


@dataclass(frozen=True)
class ModeratedExample:
    """The part of an example that decides who may hide it."""

    example_id: UUID
    task_id: UUID
    task_slug: str
    round_id: UUID
    author_id: UUID | None


@dataclass(frozen=True)
class Report:
    """A person's report about a public example."""

    example_id: UUID
    reason: str
    reported_at: datetime


@dataclass(frozen=True)
class ReportedExample:
    """An example with open reports; `reasons` are the newest ones."""

    example_id: UUID
    round_id: UUID
    round_number: int
    context: Mapping[str, Value]
    input: Mapping[str, Value]
    is_public: bool
    reports: int
    reasons: Sequence[str]
    reported_at: datetime


@dataclass(frozen=True)
class OwnerHiddenExample:
    """An example that an owner of its task hides, with the owner's reason."""

    example_id: UUID
    round_id: UUID
    round_number: int
    context: Mapping[str, Value]
    input: Mapping[str, Value]
    reason: str
    hidden_at: datetime


@dataclass(frozen=True)
class Outcome:
    """An example after a decision: whether anybody hides it, and how many reports the decision closed."""

    example_id: UUID
    is_hidden: bool
    reports_closed: int = 0
