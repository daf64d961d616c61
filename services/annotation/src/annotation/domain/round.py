"""A round: a collection phase of a task, and the stretches that its tries fall into."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from annotation.domain.aggregate import Aggregate
from annotation.domain.events import RoundCreated, RoundStateChanged, SegmentStarted
from annotation.domain.identifiers import PersonId, RoundId, SegmentId, TaskId
from annotation.domain.segment import Segment, TargetVersion, versions_after
from annotation.domain.verdict import Answers, Ensemble


class RoundState(StrEnum):
    """Where a round stands in its life."""

    DRAFT = "draft"
    OPEN = "open"
    PAUSED = "paused"
    CLOSED = "closed"
    RELEASED = "released"


TRANSITIONS: Mapping[RoundState, frozenset[RoundState]] = {
    RoundState.DRAFT: frozenset({RoundState.OPEN}),
    RoundState.OPEN: frozenset({RoundState.PAUSED, RoundState.CLOSED}),
    RoundState.PAUSED: frozenset({RoundState.OPEN, RoundState.CLOSED}),
    RoundState.CLOSED: frozenset({RoundState.RELEASED}),
    RoundState.RELEASED: frozenset(),
}


IN_PROGRESS = (RoundState.OPEN, RoundState.PAUSED)


@dataclass(eq=False)
class TransitionRefused(Exception):
    """A round can't move from `state` to `wanted`."""

    state: RoundState
    wanted: RoundState


@dataclass(eq=False)
class RoundNotOpen(Exception):
    """The round takes no tries in this state."""

    state: RoundState


@dataclass(eq=False)
class RoundImmutable(Exception):
    """The round takes no changes of this kind any more."""

    state: RoundState


class ProbesNotAllowed(Exception):
    """The task lets nobody who creates in a round look into its targets before the round is closed."""


class RoundHasNoContexts(Exception):
    """A round without a context to start from can't open."""


@dataclass(eq=False)
class EnsembleTooSmall(Exception):
    """The ensemble rule asks for more wrong targets than the round has."""

    needed: int
    targets: int


@dataclass(kw_only=True)
class Round(Aggregate):
    """A round with its latest segment; `targets` names the models in the loop, none for a control arm."""

    round_id: RoundId
    task_id: TaskId
    number: int
    title: str
    targets: tuple[str, ...]
    state: RoundState = RoundState.DRAFT
    created_at: datetime
    segment: Segment | None = None
    started_segments: list[Segment] = field(default_factory=list, compare=False, repr=False)

    @property
    def identity(self) -> UUID:
        """Return the round's id."""
        return self.round_id

    @classmethod
    def draft(
        cls,
        round_id: RoundId,
        task_id: TaskId,
        number: int,
        title: str,
        targets: tuple[str, ...],
        now: datetime,
    ) -> "Round":
        """Return a new round that nobody can work in yet."""
        new = cls(
            round_id=round_id, task_id=task_id, number=number, title=title, targets=targets, created_at=now
        )
        new.record(RoundCreated(round_id, task_id, number, title, targets, now), now)
        return new

    def ensure_open(self) -> None:
        """Raise RoundNotOpen unless people may work in the round now."""
        if self.state is not RoundState.OPEN:
            raise RoundNotOpen(self.state)

    @property
    def is_in_progress(self) -> bool:
        """Tell whether people work in the round, now or again after a pause."""
        return self.state in IN_PROGRESS

    def ensure_in_progress(self) -> None:
        """Raise RoundNotOpen unless the round is open or only paused."""
        if not self.is_in_progress:
            raise RoundNotOpen(self.state)

    def ensure_mutable(self) -> None:
        """Raise RoundImmutable once the round is released."""
        if self.state is RoundState.RELEASED:
            raise RoundImmutable(self.state)

    def ensure_takes_contexts(self) -> None:
        """Raise RoundImmutable once no more contexts can be used."""
        if self.state in (RoundState.CLOSED, RoundState.RELEASED):
            raise RoundImmutable(self.state)

    def open(self, contexts: int, ensemble: Ensemble, changed_by: PersonId, now: datetime) -> None:
        """Let people work in the round.

        Raises TransitionRefused, RoundHasNoContexts, EnsembleTooSmall.
        """
        if self.state is not RoundState.OPEN and contexts == 0:
            self.ensure_can_become(RoundState.OPEN)
            raise RoundHasNoContexts
        needed = ensemble.threshold(len(self.targets))
        if self.targets and needed > len(self.targets):
            raise EnsembleTooSmall(needed, len(self.targets))
        self.move_to(RoundState.OPEN, changed_by, now)

    def move_to(self, wanted: RoundState, changed_by: PersonId, now: datetime) -> None:
        """Move to another state; being there already changes nothing. Raises TransitionRefused."""
        if wanted is self.state:
            return
        self.ensure_can_become(wanted)
        self.state = wanted
        self.record(RoundStateChanged(self.round_id, wanted, changed_by, now), now)

    def segment_holding(
        self, answers: Answers, configuration_version: int, at_submission: Segment | None
    ) -> Segment | None:
        """Return the stretch that a try belongs to, or None if it begins a new one.

        A try that was under way when the targets changed still belongs to the stretch it was sent in.
        """
        for segment in (self.segment, at_submission):
            if segment is not None and segment.holds(answers, configuration_version):
                return segment
        return None

    def start_segment(
        self, segment_id: SegmentId, answers: Answers, configuration_version: int, now: datetime
    ) -> Segment:
        """Begin the stretch that a try with these answers belongs to."""
        before = self.segment.targets if self.segment else tuple(map(TargetVersion, self.targets))
        number = self.segment.number + 1 if self.segment else 1
        targets = versions_after(before, answers)
        segment = Segment(segment_id, self.round_id, number, configuration_version, targets, now)
        self.segment = segment
        self.started_segments.append(segment)
        self.record(
            SegmentStarted(segment_id, self.round_id, number, configuration_version, targets, now), now
        )
        return segment

    def ensure_can_become(self, wanted: RoundState) -> None:
        """Raise TransitionRefused unless the table of transitions allows it."""
        if wanted not in TRANSITIONS[self.state]:
            raise TransitionRefused(self.state, wanted)
