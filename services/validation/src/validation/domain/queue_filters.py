"""Filters by which a task's owner works on a part of a round's queue."""

from dataclasses import dataclass
from uuid import UUID

from dynabench_tasks.verdict import Verdict


@dataclass(frozen=True)
class QueueFilter:
    """Conditions on an example; None matches anything.

    `tag` is one of its tags, `target` one that answered it wrongly, `claimed` the claim as a value text.
    """

    verdict: Verdict | None = None
    condition: str | None = None
    cohort: str | None = None
    tag: str | None = None
    target: str | None = None
    claimed: str | None = None
    segment_id: UUID | None = None


EVERYTHING = QueueFilter()
