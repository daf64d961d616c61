"""An assignment: a person's work on one context, from when they got it, with their tries counted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate
from math import ceil

from dynabench_tasks.configuration.conditions import Condition
from dynabench_tasks.configuration.task_configuration import Quotas, TaskConfiguration

from annotation.domain.identifiers import AssignmentId, ContextId, PersonId, RoundId

HOUR = timedelta(hours=1)


class NoContexts(Exception):
    """There is no context left that this person could get."""


class ContextNotAssigned(Exception):
    """The person never got this context in this round."""


@dataclass(eq=False)
class QuotaReached(Exception):
    """The person has made as many tries as the task allows; `scope` names the limit."""

    scope: str
    limit: int


@dataclass(eq=False)
class TooManyPassedOver(Exception):
    """The person has passed over as many contexts without a try as they may in an hour."""

    limit: int
    retry_after_seconds: int


@dataclass
class Assignment:
    """A context assigned to a person.

    If the person comes back to it, the number of tries, the arm and the label stay, and the clock restarts.

    `assigned_label` is the label to write for, empty where people choose.
    """

    assignment_id: AssignmentId
    round_id: RoundId
    context_id: ContextId
    person_id: PersonId
    condition: str
    assigned_at: datetime
    attempts: int = 0
    assigned_label: str = ""

    def is_used_up(self, quotas: Quotas) -> bool:
        """Return whether the person may not try on this context again."""
        return quotas.tries_per_context is not None and self.attempts >= quotas.tries_per_context

    def next_attempt(self, quotas: Quotas, tries_in_round: int) -> int:
        """Count one more try and return its number, from 1. Raises QuotaReached."""
        if self.is_used_up(quotas):
            raise QuotaReached("context", self.attempts)
        if quotas.tries_per_person is not None and tries_in_round >= quotas.tries_per_person:
            raise QuotaReached("round", tries_in_round)
        self.attempts += 1
        return self.attempts

    def seconds_until(self, now: datetime) -> float:
        """Return the seconds from the assignment to `now`, never negative."""
        return max(0.0, (now - self.assigned_at).total_seconds())


@dataclass
class Place:
    """A person's place in a round: what they were given last, and how much of it they lately passed over.

    `passed_over` counts the contexts that they left without a try, since `passed_over_since` and for an hour; one that
    was withdrawn, and not reported by them, they did not leave.
    """

    round_id: RoundId
    person_id: PersonId
    last: Assignment | None = None
    last_is_reported: bool = False
    last_is_withdrawn: bool = False
    passed_over: int = 0
    passed_over_since: datetime | None = None

    @property
    def current(self) -> Assignment | None:
        """The person's current assignment; None if they reported it or it was withdrawn."""
        return None if self.last_is_reported or self.last_is_withdrawn else self.last

    def move_on(self, limit: int, now: datetime) -> None:
        """Leave the context for another, which counts if nothing was tried on it. Raises TooManyPassedOver."""
        was_taken = self.last_is_withdrawn and not self.last_is_reported
        if self.last is None or self.last.attempts > 0 or was_taken:
            return
        if self.passed_over_since is None or now >= self.passed_over_since + HOUR:
            self.passed_over, self.passed_over_since = 0, now
        if self.passed_over >= limit:
            raise TooManyPassedOver(limit, ceil((self.passed_over_since + HOUR - now).total_seconds()))
        self.passed_over += 1

    def arm_and_label(
        self, before: Assignment | None, configuration: TaskConfiguration, draw: Callable[[], float]
    ) -> tuple[str, str]:
        """Return arm and label for the next context; the label is empty if people choose it.

        Both stay with a context that the person had `before`, and carry over from a context that was passed over. So
        asking again changes neither. If the configuration no longer has one of them, it is drawn anew.
        """
        kept = before or (self.last if self.last is not None and self.last.attempts == 0 else None)
        condition = kept.condition if kept else ""
        if condition not in [arm.name for arm in configuration.conditions]:
            condition = draw_condition(configuration.conditions, draw())
        if not configuration.goal.assigns_label:
            return condition, ""
        label = kept.assigned_label if kept else ""
        if label not in configuration.labels:
            label = draw_label(configuration.labels, draw())
        return condition, label


def draw_condition(arms: Sequence[Condition], draw: float) -> str:
    """Return the arm that `draw`, uniform in [0, 1), falls on by weight."""
    bounds = list(accumulate(arm.weight for arm in arms))
    for arm, bound in zip(arms, bounds, strict=True):
        if draw * bounds[-1] < bound:
            return arm.name
    return arms[-1].name


def draw_label(labels: Sequence[str], draw: float) -> str:
    """Return the label that `draw`, uniform in [0, 1), falls on; all are as likely."""
    return labels[int(draw * len(labels))]
