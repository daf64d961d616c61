"""An assignment: a person's work on one context, from when they got it, with their tries counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate

from dynabench_tasks.configuration.conditions import Condition
from dynabench_tasks.configuration.task_configuration import Quotas

from annotation.domain.identifiers import AssignmentId, ContextId, PersonId, RoundId


class NoContexts(Exception):
    """There is no context left that this person could get."""


class ContextNotAssigned(Exception):
    """The person never got this context in this round."""


@dataclass(eq=False)
class QuotaReached(Exception):
    """The person has made as many tries as the task allows; `scope` says where."""

    scope: str
    limit: int


@dataclass
class Assignment:
    """A context in a person's hands; coming back to it keeps the number of tries and restarts the clock.

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
        """Tell whether the person may not try on this context again."""
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
