"""A round's board: its figures, whole and by segment and target."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench_tasks.statistics.rates import Rate

from leaderboard.domain import rates
from leaderboard.domain.rates import AuthorCounts, ProjectedRate
from leaderboard.domain.tally import RULE, Tally


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts and rates of one subject."""

    total: Tally
    mer: Rate
    vmer: Rate
    vmer_projected: ProjectedRate
    validity: Rate

    @property
    def validated_errors(self) -> int:
        """Count validated errors, those of tries without a verdict among them."""
        return self.total.errors + self.total.apart_errors


def figures(total: Tally, authors: AuthorCounts, withheld: str | None = None) -> Figures:
    """Work the rates of one subject out; with `withheld` there are no error rates, for that reason."""
    if withheld is not None:
        nothing = Rate(None, total.decided, reason=withheld)
        return Figures(total, nothing, nothing, ProjectedRate(nothing, ()), rates.validity(total, authors))
    return Figures(
        total,
        rates.mer(total, authors),
        rates.vmer(total, authors),
        rates.vmer_projected(total),
        rates.validity(total, authors),
    )


NO_FIGURES = figures(Tally(), rates.NO_AUTHORS)

Subjects = dict[str, Figures]
"""Figures by subject: the target's name, or RULE."""


@dataclass(frozen=True, slots=True)
class Group:
    """Figures of the round's rule over the tries that have something in common, for example a condition."""

    name: str
    figures: Figures


@dataclass(frozen=True, slots=True)
class TargetInSegment:
    """What exactly ran under a target's name."""

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
