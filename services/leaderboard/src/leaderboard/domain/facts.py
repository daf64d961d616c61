"""What the log says about one example, held so that the order of arrival never matters.

Each fact carries the version of the event that stated it. A fact replaces only an older statement of the same
fact, never another fact: a retraction may be known before the try it withdraws, a vote before its example.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol, TypeVar
from uuid import UUID

from dynabench_tasks.resolution import Resolution as Outcome
from dynabench_tasks.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Answer:
    """One target's stored answer as a value text; `wrong` is the server's judgement at the time of the try."""

    target: str
    value: str
    wrong: bool
    missing: bool


@dataclass(frozen=True, slots=True)
class Try:
    """A stored submission. `segment_id` is None without targets, `author_id` None if imported without.

    `condition` is the arm drawn for its assignment, `cohort` the kind of person, `claimed` the claim as a value
    text, each empty if there is none; `tags` are those of its context. `number` counts the author's tries on the
    context from 1; `milliseconds` passed since the author got the context, 0 if that is unknown.
    """

    version: int
    round_id: UUID
    task_id: UUID
    configuration_version: int
    segment_id: UUID | None
    author_id: UUID | None
    verdict: Verdict
    answers: tuple[Answer, ...]
    created_at: datetime
    condition: str = ""
    cohort: str = ""
    tags: tuple[str, ...] = ()
    claimed: str = ""
    context_id: UUID | None = None
    number: int = 0
    milliseconds: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """The author said which answers are wrong; `verdict` is that of the ensemble rule on them."""

    version: int
    verdict: Verdict
    wrong_targets: frozenset[str]
    decided_at: datetime


@dataclass(frozen=True, slots=True)
class Retraction:
    """The author withdrew the example."""

    version: int
    retracted_at: datetime


@dataclass(frozen=True, slots=True)
class Resolution:
    """The votes, or an adjudication, decided the example. `golds` are value texts, none without an agreed answer."""

    version: int
    outcome: Outcome
    golds: tuple[str, ...]
    resolved_at: datetime


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """The example waits for votes again: no earlier resolution stands."""

    version: int
    withdrawn_at: datetime


ExampleFact = Try | Decision | Retraction | Resolution | Withdrawal


class Versioned(Protocol):
    """A fact that knows which event stated it."""

    @property
    def version(self) -> int:
        """Return the aggregate's version at that event."""


AnyFact = TypeVar("AnyFact", bound=Versioned)


def newer(held: AnyFact | None, stated: AnyFact) -> AnyFact:
    """Return the fact of the higher version; at equal versions the held one, since it is the same."""
    return stated if held is None or stated.version > held.version else held


@dataclass(frozen=True, slots=True)
class Example:
    """Everything known about one example; any part may still be missing.

    `resolved` is the newest resolution, whether it still stands or was withdrawn.
    """

    example_id: UUID
    attempt: Try | None = None
    decision: Decision | None = None
    retraction: Retraction | None = None
    resolved: Resolution | None = None
    withdrawal: Withdrawal | None = None
    votes: int = 0

    def told(self, fact: ExampleFact) -> "Example":
        """Return the example with one more fact known."""
        match fact:
            case Try():
                return replace(self, attempt=newer(self.attempt, fact))
            case Decision():
                return replace(self, decision=newer(self.decision, fact))
            case Retraction():
                return replace(self, retraction=newer(self.retraction, fact))
            case Resolution():
                return replace(self, resolved=newer(self.resolved, fact))
            case Withdrawal():
                return replace(self, withdrawal=newer(self.withdrawal, fact))

    def with_votes(self, number: int) -> "Example":
        """Return the example with `number` more votes that count, or fewer."""
        return replace(self, votes=self.votes + number)

    @property
    def judged(self) -> Try | None:
        """Return the try with what its author decided, if they did, in place of the stored verdict."""
        if self.attempt is None or self.decision is None:
            return self.attempt
        wrong = self.decision.wrong_targets
        answers = (replace(answer, wrong=answer.target in wrong) for answer in self.attempt.answers)
        return replace(self.attempt, verdict=self.decision.verdict, answers=tuple(answers))

    @property
    def resolution(self) -> Resolution | None:
        """Return the resolution that stands: none while a newer event says that it waits for votes again."""
        if self.resolved is None or self.withdrawal is None:
            return self.resolved
        return self.resolved if self.resolved.version > self.withdrawal.version else None

    @property
    def is_retracted(self) -> bool:
        """Tell whether its author withdrew it."""
        return self.retraction is not None
