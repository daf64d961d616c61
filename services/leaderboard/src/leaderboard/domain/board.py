"""A round's board: its figures, whole and by segment and target."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from leaderboard.domain.rates import NO_FIGURES, Figures
from leaderboard.domain.tally import RULE

Subjects = dict[str, Figures]
"""Figures by subject: the target's name, or RULE."""


@dataclass(frozen=True, slots=True)
class Group:
    """Figures of the round's rule over the tries that have something in common, for example a condition."""

    name: str
    figures: Figures


@dataclass(frozen=True, slots=True)
class TargetInSegment:
    """Exact model that ran under a target's name."""

    name: str
    model_digest: str
    handler_digest: str


@dataclass(frozen=True, slots=True)
class SegmentBoard:
    """Figures of one segment. Number and start are None until the segment's own event came."""

    segment_id: UUID
    number: int | None
    started_at: datetime | None
    ran: tuple[TargetInSegment, ...]
    subjects: Subjects

    @property
    def figures(self) -> Figures:
        """Return the figures of the segment's rule."""
        return self.subjects.get(RULE, NO_FIGURES)


@dataclass(frozen=True, slots=True)
class Board:
    """Everything that a round's page shows; `revision` changes with every change of it.

    `origin` is empty where people write the examples, else imported or harvested.
    """

    round_id: UUID
    task_slug: str | None
    number: int
    title: str
    state: str
    target_names: tuple[str, ...]
    as_of: datetime
    revision: UUID
    subjects: Subjects
    segments: tuple[SegmentBoard, ...]
    arms: tuple[Group, ...] = ()
    origin: str = ""

    @property
    def figures(self) -> Figures:
        """Return the headline: the figures of the round's rule."""
        return self.subjects.get(RULE, NO_FIGURES)


def by_target(subjects: Subjects, names: tuple[str, ...]) -> list[tuple[str, Figures]]:
    """Return the targets' figures in the round's order, targets it no longer names after them."""
    others = sorted(set(subjects) - {RULE, *names})
    return [(name, subjects.get(name, NO_FIGURES)) for name in (*names, *others)]
