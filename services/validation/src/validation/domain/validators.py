"""A validator's standing in a task, from results on known items and from the owner's decisions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from validation.domain.errors import AlreadyAppealedPause, NotPaused, ValidationPaused
from validation.domain.identifiers import PersonId, TaskId

WINDOW = 20
WARN_AT = 2
PAUSE_AT = 5


class ValidatorState(StrEnum):
    """The right of a person to validate."""

    ACTIVE = "active"
    WARNED = "warned"
    PAUSED = "paused"


@dataclass(frozen=True)
class Grade:
    """A first answer on an item whose answer is known."""

    passed: bool
    graded_at: datetime


@dataclass(frozen=True)
class Decision:
    """The owner's decision: `is_paused`, or reinstated with a clean slate."""

    is_paused: bool
    reason: str
    decided_at: datetime


@dataclass(frozen=True)
class PauseAppeal:
    """A paused person's appeal to the owner."""

    reason: str
    appealed_at: datetime


@dataclass(frozen=True)
class Validator:
    """A person in a task. `grades` are the newest first, without those on items later found wrong.

    A person without votes in the task is not enrolled.
    """

    task_id: TaskId
    person_id: PersonId
    grades: Sequence[Grade] = ()
    decision: Decision | None = None
    appealed: PauseAppeal | None = None
    is_enrolled: bool = True

    @property
    def failures(self) -> int:
        """Return how many of the last twenty known items the person failed, since being reinstated if they were."""
        since = self.decision.decided_at if self.decision and not self.decision.is_paused else None
        window = [grade for grade in self.grades if since is None or grade.graded_at > since][:WINDOW]
        return sum(not grade.passed for grade in window)

    @property
    def state(self) -> ValidatorState:
        """Return whether the person may validate."""
        if (self.decision and self.decision.is_paused) or self.failures >= PAUSE_AT:
            return ValidatorState.PAUSED
        return ValidatorState.WARNED if self.failures >= WARN_AT else ValidatorState.ACTIVE

    @property
    def pause_appeal(self) -> PauseAppeal | None:
        """Return the appeal against the pause the person is under, answered or not."""
        return self.appealed if self._has_appealed else None

    @property
    def appeal_answer(self) -> str | None:
        """Return why the owner lets a pause stand that was appealed against; None until then."""
        appealed, decision = self.pause_appeal, self.decision
        is_answered = appealed and decision and decision.decided_at >= appealed.appealed_at
        return decision.reason if decision and is_answered else None

    @property
    def open_appeal(self) -> PauseAppeal | None:
        """Return the appeal that waits for the owner's answer."""
        return self.pause_appeal if self.appeal_answer is None else None

    @property
    def pause_reason(self) -> str | None:
        """Return the owner's reason for the current pause, or None without a reason."""
        return self.decision.reason if self.decision and self.decision.is_paused else None

    @property
    def paused_at(self) -> datetime | None:
        """Return since when the person is paused, None while they are not."""
        if self.state is not ValidatorState.PAUSED:
            return None
        if self.is_paused_by_owner and self.decision:
            return self.decision.decided_at
        return self.grades[0].graded_at

    @property
    def is_paused_by_owner(self) -> bool:
        """Return whether the task's owner paused the person, or lets a pause by the known items stand."""
        return self.decision is not None and self.decision.is_paused

    @property
    def _has_appealed(self) -> bool:
        """Return whether the person appealed against the pause they are under, not against an earlier one."""
        if self.appealed is None or self.state is not ValidatorState.PAUSED:
            return False
        return all(grade.graded_at <= self.appealed.appealed_at for grade in self.grades[:1])

    def ensure_may_validate(self) -> None:
        """Refuse a paused person. Raises ValidationPaused."""
        if self.state is ValidatorState.PAUSED:
            raise ValidationPaused(can_appeal=not self._has_appealed)

    def appeal(self, reason: str, now: datetime) -> "Validator":
        """Return the validator with an appeal, one for each pause. Raises NotPaused or AlreadyAppealedPause."""
        if self.state is not ValidatorState.PAUSED:
            raise NotPaused(self.person_id)
        if self._has_appealed:
            raise AlreadyAppealedPause(self.person_id)
        return replace(self, appealed=PauseAppeal(reason, now))

    def decide(self, *, is_paused: bool, reason: str, now: datetime) -> "Validator":
        """Return the validator as the owner wants it; pausing a paused person confirms, which answers an appeal."""
        appealed = self.appealed if is_paused and self._has_appealed else None
        return replace(self, decision=Decision(is_paused, reason, now), appealed=appealed)
