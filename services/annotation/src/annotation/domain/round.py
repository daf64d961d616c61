"""A round: a collection phase of a task, divided into the segments that its tries belong to."""

from dataclasses import asdict, dataclass, field
from datetime import datetime

from dynabench_events.history import Aggregate
from dynabench_events.task import (
    RoundCreated,
    RoundLostTarget,
    RoundStateChanged,
    RoundTargetsChanged,
    SegmentStarted,
    Target,
)
from dynabench_tasks.configuration.metadata import Circumstances
from dynabench_tasks.configuration.onboarding import Activity
from dynabench_tasks.rounds import COLLECTED_TRANSITIONS, TRANSITIONS, RoundState
from dynabench_tasks.values import Value
from dynabench_tasks.verdict import Ensemble, Verdict

from annotation.domain.identifiers import NOBODY, PersonId, RoundId, SegmentId, TaskId
from annotation.domain.provenance import Origin
from annotation.domain.segment import Segment, versions_after
from annotation.domain.target import LostTarget
from annotation.domain.verdict import Answers

IN_PROGRESS = (RoundState.OPEN, RoundState.PAUSED)


@dataclass(eq=False)
class TransitionRefused(Exception):
    """A round can't move from `state` to `wanted`, only to one of `possible`."""

    state: RoundState
    wanted: RoundState
    possible: frozenset[RoundState]


@dataclass(eq=False)
class RoundNotOpen(Exception):
    """The round takes no tries in this state."""

    state: RoundState


@dataclass(eq=False)
class RoundImmutable(Exception):
    """The round takes no changes of this kind any more."""

    state: RoundState


class RoundNotCollected(Exception):
    """The round takes in no collection of this kind; people write its examples, or it was imported or harvested."""


class ImportFinished(Exception):
    """The round takes no more records: it is closed."""


class ProbesNotAllowed(Exception):
    """The task allows no author of a round to probe its targets before the round is closed."""


class RoundHasNoContexts(Exception):
    """A round without a context to start from can't open."""


class RoundWouldBeEmptied(Exception):
    """The round in progress would have no target left: from then on no try could fool any."""


@dataclass(eq=False)
class EnsembleTooSmall(Exception):
    """The ensemble rule asks for more wrong targets than the round has."""

    needed: int
    targets: int


@dataclass(frozen=True)
class LiveRound:
    """An open or paused round with the targets that people try to fool in it."""

    round_id: RoundId
    task_slug: str
    targets: frozenset[str]


@dataclass(frozen=True)
class ReleasedRound:
    """A released round of a task, with how many targets it had."""

    slug: str
    round_id: RoundId
    number: int
    targets: int


@dataclass(kw_only=True)
class Round(Aggregate):
    """A round with its latest segment; `targets` names the models in the loop, none for a control arm.

    `source` names the collection that an imported or harvested round takes in.
    """

    round_id: RoundId
    task_id: TaskId
    number: int
    title: str
    targets: tuple[str, ...]
    state: RoundState = RoundState.DRAFT
    created_at: datetime
    origin: Origin = Origin.WRITTEN
    source: str = ""
    segment: Segment | None = None
    started_segments: list[Segment] = field(default_factory=list, compare=False, repr=False)
    lost_targets: list[LostTarget] = field(default_factory=list, compare=False, repr=False)

    @classmethod
    def draft(
        cls,
        round_id: RoundId,
        task_id: TaskId,
        number: int,
        title: str,
        targets: tuple[str, ...],
        now: datetime,
        origin: Origin = Origin.WRITTEN,
        source: str = "",
    ) -> "Round":
        """Return a new draft round, not open for work; one for a collection is not announced yet."""
        new = cls(
            round_id=round_id,
            task_id=task_id,
            number=number,
            title=title,
            targets=targets,
            created_at=now,
            origin=origin,
            source=source,
        )
        if new.is_written_here:
            new.announce()
        return new

    def announce(self) -> None:
        """Announce the round, once; a collection's with its first record, so that a refused import leaves none."""
        if self.is_announced:
            return
        self.record(
            RoundCreated(
                round_id=self.round_id,
                task_id=self.task_id,
                number=self.number,
                title=self.title,
                targets=self.targets,
                created_at=self.created_at,
                origin=self.origin.value,
                source=self.source,
            )
        )

    @property
    def is_announced(self) -> bool:
        """Return whether lists and other services know of the round."""
        return self.version > 0

    def ensure_open(self) -> None:
        """Raise RoundNotOpen unless people may work in the round now."""
        if self.state is not RoundState.OPEN:
            raise RoundNotOpen(self.state)

    def circumstances(self, verdict: Verdict | None, claimed: Value | None) -> Circumstances:
        """Return the facts that decide the metadata fields of a try, also before its verdict is known."""
        labels = [claimed] if isinstance(claimed, str) else list(claimed) if isinstance(claimed, list) else []
        decided = frozenset() if verdict is None else frozenset({verdict.value})
        return Circumstances({"verdict": decided, "claimed": frozenset(labels)}, self.number)

    @property
    def is_in_progress(self) -> bool:
        """Return whether people work in the round, now or again after a pause."""
        return self.state in IN_PROGRESS

    def ensure_in_progress(self) -> None:
        """Raise RoundNotOpen unless the round is open or only paused."""
        if not self.is_in_progress:
            raise RoundNotOpen(self.state)

    def ensure_mutable(self) -> None:
        """Raise RoundImmutable once the round is released."""
        if self.state is RoundState.RELEASED:
            raise RoundImmutable(self.state)

    @property
    def is_written_here(self) -> bool:
        """Return whether examples are written in the round, rather than imported or harvested."""
        return self.origin in (Origin.WRITTEN, Origin.DEMONSTRATION)

    def cohort_of(self, author: str) -> str:
        """Return the cohort of a try by an author of a cohort; a demonstration is a cohort of its own."""
        return self.origin.value if self.origin is Origin.DEMONSTRATION else author

    def ensure_takes_in(self, origin: Origin) -> None:
        """Raise RoundNotCollected unless the round is there for records of this origin."""
        if self.origin is not origin:
            raise RoundNotCollected

    def ensure_takes_records(self) -> None:
        """Raise ImportFinished once the collection is complete."""
        if self.state is not RoundState.DRAFT:
            raise ImportFinished

    def ensure_takes_contexts(self) -> None:
        """Raise RoundImmutable once no more contexts can be used."""
        if self.state in (RoundState.CLOSED, RoundState.RELEASED):
            raise RoundImmutable(self.state)

    def ensure_takes_orders(self, activity: Activity) -> None:
        """Raise RoundImmutable if no such work can be done in the round any more."""
        is_over = self.state in (RoundState.CLOSED, RoundState.RELEASED) or not self.is_written_here
        if activity is Activity.CREATE and is_over:
            raise RoundImmutable(self.state)
        self.ensure_mutable()

    def ensure_enough_targets(self, ensemble: Ensemble) -> None:
        """Raise EnsembleTooSmall if the round has targets and they are too few for the rule."""
        _ensure_enough(self.targets, ensemble)

    def open(
        self, contexts: int, ensemble: Ensemble, changed_by: PersonId, now: datetime, reason: str = ""
    ) -> None:
        """Let people work in the round.

        Raises TransitionRefused, RoundHasNoContexts, EnsembleTooSmall.
        """
        self.ensure_can_open(contexts, ensemble)
        self.move_to(RoundState.OPEN, changed_by, now, reason)

    def ensure_can_open(self, contexts: int, ensemble: Ensemble) -> None:
        """Raise the errors of `open` if people could not work in the round."""
        if self.state is not RoundState.OPEN and contexts == 0:
            self.ensure_can_become(RoundState.OPEN)
            raise RoundHasNoContexts
        self.ensure_enough_targets(ensemble)

    def move_to(self, wanted: RoundState, changed_by: PersonId, now: datetime, reason: str = "") -> None:
        """Move to another state; being there already changes nothing. Raises TransitionRefused."""
        if wanted is self.state:
            return
        self.ensure_can_become(wanted)
        self._become(wanted, changed_by, now, reason)

    def release(self, now: datetime) -> bool:
        """Freeze a closed round, since its dataset is made; tell whether that changed it.

        A round that was opened again meanwhile stays open: what was released of it is a dataset all the same.
        """
        if self.state is not RoundState.CLOSED:
            return False
        self._become(RoundState.RELEASED, None, now, "")
        return True

    def _become(self, state: RoundState, changed_by: PersonId | None, now: datetime, reason: str) -> None:
        self.announce()
        self.state = state
        self.record(
            RoundStateChanged(
                round_id=self.round_id, state=state, changed_by=changed_by, changed_at=now, reason=reason
            )
        )

    def change_targets(
        self,
        targets: tuple[str, ...],
        ensemble: Ensemble,
        changed_by: PersonId,
        reason: str,
        now: datetime,
        *,
        may_be_emptied: bool = False,
    ) -> bool:
        """Replace the targets; tell whether that changed anything. The next try begins a new segment.

        Raises RoundImmutable once the round is closed to authors, and EnsembleTooSmall. Raises RoundWouldBeEmptied for
        a round in progress that would lose all of its targets, unless it `may_be_emptied`.
        """
        if not self.is_written_here or self.state not in (RoundState.DRAFT, *IN_PROGRESS):
            raise RoundImmutable(self.state)
        if targets == self.targets:
            return False
        if not targets and self.state in IN_PROGRESS and not may_be_emptied:
            raise RoundWouldBeEmptied
        _ensure_enough(targets, ensemble)
        self._take(targets, changed_by, reason, now)
        return True

    def _take(self, targets: tuple[str, ...], changed_by: PersonId, reason: str, now: datetime) -> None:
        self.targets = targets
        self.record(
            RoundTargetsChanged(
                round_id=self.round_id,
                targets=targets,
                changed_by=changed_by,
                reason=reason,
                changed_at=now,
            )
        )

    def lose_target(
        self, target: str, ensemble: Ensemble, failing_since: datetime, reason: str, now: datetime
    ) -> bool:
        """Remove a target that has stopped answering; tell whether that changed anything.

        A round that needs the target is paused instead, so that no try fails for want of it.
        """
        if self.state is not RoundState.OPEN or target not in self.targets:
            return False
        left = tuple(name for name in self.targets if name != target)
        paused = not left or ensemble.threshold(len(left)) > len(left)
        lost = LostTarget(target, paused, failing_since, reason, now)
        self.record(RoundLostTarget(round_id=self.round_id, **asdict(lost)))
        if paused:
            self._become(RoundState.PAUSED, None, now, lost.words)
        else:
            self._take(left, NOBODY, lost.words, now)
        self.lost_targets.append(lost)
        return True

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
        before = tuple(Target(answer.target) for answer in answers)
        if self.segment is not None and self.segment.has_targets_of(answers):
            before = self.segment.targets
        number = self.segment.number + 1 if self.segment else 1
        targets = versions_after(before, answers)
        segment = Segment(segment_id, self.round_id, number, configuration_version, targets, now)
        self.segment = segment
        self.started_segments.append(segment)
        self.record(
            SegmentStarted(
                segment_id=segment_id,
                round_id=self.round_id,
                number=number,
                configuration_version=configuration_version,
                targets=targets,
                started_at=now,
            )
        )
        return segment

    def ensure_can_become(self, wanted: RoundState) -> None:
        """Raise TransitionRefused unless the table of transitions allows it."""
        transitions = TRANSITIONS if self.is_written_here else COLLECTED_TRANSITIONS
        possible = transitions.get(self.state, frozenset())
        if wanted not in possible:
            raise TransitionRefused(self.state, wanted, possible)


def _ensure_enough(targets: tuple[str, ...], ensemble: Ensemble) -> None:
    needed = ensemble.threshold(len(targets))
    if targets and needed > len(targets):
        raise EnsembleTooSmall(needed, len(targets))
