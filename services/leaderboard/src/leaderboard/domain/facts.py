"""Known facts of one example from the log, independent of the order of arrival.

Each part has the version of its event. An event replaces only an older one of its own kind, never another part. A
retraction may arrive before its try, and a vote before its example.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol, TypeVar
from uuid import UUID

from dynabench_events import EventRecord
from dynabench_events.example import DuplicateOverruled, ExampleCreated, ExampleRetracted, VerdictDecided
from dynabench_events.validation import ExampleResolved, ResolutionWithdrawn
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.verdict import Verdict


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """One target's stored answer as a value text; `wrong` is the server's judgement at the time of the try.

    A target that was `not_asked`, since one of an earlier tier was right, is not missing.
    """

    target: str
    value: str
    wrong: bool
    missing: bool
    not_asked: bool = False

    @property
    def is_given(self) -> bool:
        """Return whether the target was asked and answered."""
        return not self.missing and not self.not_asked


@dataclass(frozen=True, slots=True)
class Try:
    """A stored submission, as far as it counts.

    `segment_id` is None without targets, `author_id` None if imported without.
    `condition` is the arm drawn for its assignment, `cohort` the kind of person, `claimed` the claim as a value
    text, each empty if there is none; `tags` are those of its context. `number` counts the author's tries on the
    context from 1; `milliseconds` passed since the author got the context, 0 if that is unknown.
    `from_elsewhere` marks a try made in another place and imported with a collection.
    """

    version: int
    round_id: UUID
    task_id: UUID
    configuration_version: int
    segment_id: UUID | None
    author_id: UUID | None
    verdict: Verdict
    answers: tuple[StoredAnswer, ...]
    created_at: datetime
    condition: str = ""
    cohort: str = ""
    tags: tuple[str, ...] = ()
    claimed: str = ""
    context_id: UUID | None = None
    number: int = 0
    milliseconds: int = 0
    from_elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class AuthorsVerdict:
    """Verdict after the author decided which answers are wrong."""

    version: int
    verdict: Verdict
    wrong_targets: frozenset[str]
    decided_at: datetime


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Mark that the text equals that of an earlier example that fooled, according to the try or its verdict."""

    version: int
    duplicate_of: UUID


@dataclass(frozen=True, slots=True)
class Overruled:
    """An owner's decision that the example counts although it is a duplicate."""

    version: int


@dataclass(frozen=True, slots=True)
class Retracted:
    """Withdrawal of the example by its author."""

    version: int
    retracted_at: datetime


@dataclass(frozen=True, slots=True)
class NewestResolution:
    """Resolution of the example by votes or an adjudication. `golds` are value texts, none without an agreed answer."""

    version: int
    outcome: Resolution
    golds: tuple[str, ...]
    resolved_at: datetime


@dataclass(frozen=True, slots=True)
class WaitingAgain:
    """Return of the example to voting, which cancels every earlier resolution."""

    version: int
    withdrawn_at: datetime


class Versioned(Protocol):
    """A part of an example that knows which event it came with."""

    @property
    def version(self) -> int:
        """Return the aggregate's version at that event."""


AnyPart = TypeVar("AnyPart", bound=Versioned)


def newer(known: AnyPart | None, part: AnyPart) -> AnyPart:
    """Return the part of the higher version; at equal versions the known one, since it is the same."""
    return part if known is None or part.version > known.version else known


@dataclass(frozen=True, slots=True)
class Example:
    """Everything known about one example; any part may still be missing.

    `resolved` is the newest resolution, whether it still stands or was withdrawn.
    """

    example_id: UUID
    attempt: Try | None = None
    authors_verdict: AuthorsVerdict | None = None
    retracted: Retracted | None = None
    resolved: NewestResolution | None = None
    waiting_again: WaitingAgain | None = None
    votes: int = 0
    duplicate: Duplicate | None = None
    overruled: Overruled | None = None

    def with_event(self, version: int, event: EventRecord) -> "Example":
        """Return the example with one more event known; `version` is the event's among its aggregate's."""
        return EXAMPLE_EVENTS[type(event)](self, version, event)

    def with_votes(self, number: int) -> "Example":
        """Return the example with `number` more votes that count, or fewer."""
        return replace(self, votes=self.votes + number)

    @property
    def judged(self) -> Try | None:
        """Return the try as it counts: what its author decided, if they did, is in the place of the stored verdict.

        A duplicate is a try that fooled nobody.
        """
        if self.attempt is None:
            return None
        verdict, wrong = self.attempt.verdict, None
        if self.authors_verdict is not None:
            verdict, wrong = self.authors_verdict.verdict, self.authors_verdict.wrong_targets
        if self.is_duplicate and verdict is Verdict.FOOLED:
            verdict, wrong = Verdict.NOT_FOOLED, frozenset()
        if wrong is None:
            return self.attempt
        answers = (replace(answer, wrong=answer.target in wrong) for answer in self.attempt.answers)
        return replace(self.attempt, verdict=verdict, answers=tuple(answers))

    @property
    def is_duplicate(self) -> bool:
        """Return whether its fooling is that of an earlier example."""
        return self.duplicate is not None and self.overruled is None

    @property
    def resolution(self) -> NewestResolution | None:
        """Return the valid resolution, or None if a newer event returned the example to voting."""
        if self.resolved is None or self.waiting_again is None:
            return self.resolved
        return self.resolved if self.resolved.version > self.waiting_again.version else None

    @property
    def is_retracted(self) -> bool:
        """Return whether its author withdrew it."""
        return self.retracted is not None


def _created(example: Example, version: int, event: ExampleCreated) -> Example:
    attempt = Try(
        version=version,
        round_id=event.round_id,
        task_id=event.task_id,
        configuration_version=event.configuration_version,
        segment_id=event.segment_id,
        author_id=event.author_id,
        verdict=event.verdict,
        answers=tuple(
            StoredAnswer(answer.target, answer.value, answer.wrong, answer.is_missing, answer.not_asked)
            for answer in event.answers
        ),
        created_at=event.created_at,
        condition=event.condition,
        cohort=event.cohort,
        tags=tuple(sorted(set(event.context_tags))),
        claimed=event.claimed,
        context_id=event.context_id,
        number=event.attempt,
        milliseconds=max(0, round(event.seconds_since_context * 1000)),
        from_elsewhere=bool(event.source_id),
    )
    known = replace(example, attempt=newer(example.attempt, attempt))
    return _with_duplicate(known, version, event.duplicate_of)


def _with_duplicate(example: Example, version: int, duplicate_of: UUID | None) -> Example:
    if duplicate_of is None:
        return example
    return replace(example, duplicate=newer(example.duplicate, Duplicate(version, duplicate_of)))


def _verdict_decided(example: Example, version: int, event: VerdictDecided) -> Example:
    decided = AuthorsVerdict(version, event.verdict, frozenset(event.wrong_targets), event.decided_at)
    known = replace(example, authors_verdict=newer(example.authors_verdict, decided))
    return _with_duplicate(known, version, event.duplicate_of)


def _duplicate_overruled(example: Example, version: int, _event: DuplicateOverruled) -> Example:
    return replace(example, overruled=newer(example.overruled, Overruled(version)))


def _retracted(example: Example, version: int, event: ExampleRetracted) -> Example:
    return replace(example, retracted=newer(example.retracted, Retracted(version, event.retracted_at)))


def _resolved(example: Example, version: int, event: ExampleResolved) -> Example:
    resolved = NewestResolution(version, event.resolution, event.golds, event.resolved_at)
    return replace(example, resolved=newer(example.resolved, resolved))


def _resolution_withdrawn(example: Example, version: int, event: ResolutionWithdrawn) -> Example:
    waiting = WaitingAgain(version, event.withdrawn_at)
    return replace(example, waiting_again=newer(example.waiting_again, waiting))


EXAMPLE_EVENTS: Mapping[type[EventRecord], Callable[[Example, int, Any], Example]] = {
    ExampleCreated: _created,
    VerdictDecided: _verdict_decided,
    DuplicateOverruled: _duplicate_overruled,
    ExampleRetracted: _retracted,
    ExampleResolved: _resolved,
    ResolutionWithdrawn: _resolution_withdrawn,
}
"""Changes of an example by each event."""
