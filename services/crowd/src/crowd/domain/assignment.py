"""An assignment: one person's work for one campaign."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from dynabench_events.crowd import AssignmentState, AssignmentStateChanged, ExclusionAppealed, Work
from dynabench_events.history import Aggregate

from crowd.domain.campaign import Campaign
from crowd.domain.errors import AssignmentStateRefused

GRACE = timedelta(minutes=5)
"""Time after the deadline in which work can still be handed in."""
OPEN = frozenset({AssignmentState.WORKING, AssignmentState.SUBMITTED})
LATE_DECISION = timedelta(days=35)
"""Time after an assignment's time limit in which its platform may still decide. Platforms approve work that nobody
decides on, up to 30 days after it was handed in."""
TAKES_PLACE = OPEN | {AssignmentState.APPROVED}
LOST = frozenset({AssignmentState.RETURNED, AssignmentState.TIMED_OUT, AssignmentState.REJECTED})
"""States in which a person can't return to the work. A screened-out person can, for the code."""
CHANGES: Mapping[AssignmentState, Collection[AssignmentState]] = {
    AssignmentState.WORKING: (
        AssignmentState.SUBMITTED,
        AssignmentState.RETURNED,
        AssignmentState.TIMED_OUT,
        AssignmentState.SCREENED_OUT,
    ),
    AssignmentState.SUBMITTED: (
        AssignmentState.APPROVED,
        AssignmentState.REJECTED,
        AssignmentState.RETURNED,
    ),
}
"""Changes that people, owners and the worker make."""
OF_PLATFORM: Mapping[AssignmentState, Collection[AssignmentState]] = {
    AssignmentState.SUBMITTED: (AssignmentState.TIMED_OUT,),
    AssignmentState.TIMED_OUT: (AssignmentState.SUBMITTED, AssignmentState.SCREENED_OUT),
    AssignmentState.RETURNED: (AssignmentState.APPROVED,),
    AssignmentState.SCREENED_OUT: (
        AssignmentState.APPROVED,
        AssignmentState.REJECTED,
        AssignmentState.RETURNED,
        AssignmentState.TIMED_OUT,
    ),
    AssignmentState.REJECTED: (AssignmentState.APPROVED,),
    AssignmentState.APPROVED: (
        AssignmentState.REJECTED,
        AssignmentState.RETURNED,
        AssignmentState.TIMED_OUT,
    ),
}
"""Further changes that only a platform makes. Its decision counts, since it pays: for example, it may approve work that
was given back here."""


class Why(StrEnum):
    """The reason for handing in fewer units than agreed."""

    ROUND_ENDED = "round_ended"
    NOTHING_LEFT = "nothing_left"
    HANDED_IN_THERE = "handed_in_there"


def reason_to_stop(campaign: Campaign, round_state: str, *, is_empty: bool) -> Why | None:
    """Return why a person can do no more; None if they can. `is_empty` says that the pages had no more work."""
    if not campaign.takes_work(round_state):
        return Why.ROUND_ENDED
    return Why.NOTHING_LEFT if is_empty else None


@dataclass(kw_only=True)
class Assignment(Aggregate):
    """One person's work. `why` is the reason of fewer units, or of a rejection.

    What the person does after `stopped_at` is not part of it; it may be part of other work.
    """

    assignment_id: UUID
    campaign_id: UUID
    round_id: UUID
    work: Work
    person_id: UUID
    state: AssignmentState
    submission_id: str
    parameters: Mapping[str, str]
    is_proved: bool
    accepted_at: datetime
    deadline: datetime
    changed_at: datetime
    device: str | None = None
    why: str | None = None
    rejection_category: str | None = None
    submitted_at: datetime | None = None
    stopped_at: datetime | None = None

    def accepted(self) -> None:
        """Record that the person works."""
        self._record()

    def become(
        self, state: AssignmentState, now: datetime, why: str | None = None, *, by_platform: bool = False
    ) -> None:
        """Change the state; the present one again changes nothing. Raises AssignmentStateRefused."""
        if state is self.state:
            return
        if not self.can_become(state, by_platform=by_platform):
            raise AssignmentStateRefused(self.state, state)
        if self.state is AssignmentState.REJECTED:
            self.why = self.rejection_category = None
        if self.state is AssignmentState.WORKING:
            self.stopped_at = min(now, self.deadline + GRACE)
        self.state, self.changed_at = state, now
        self.why = why or self.why
        if state is AssignmentState.SUBMITTED:
            self.submitted_at = now
        self._record()

    def can_become(self, state: AssignmentState, *, by_platform: bool = False) -> bool:
        """Return whether the state can follow."""
        further = OF_PLATFORM.get(self.state, ()) if by_platform else ()
        return state in CHANGES.get(self.state, ()) or state in further

    def enters_again(self, submission_id: str, parameters: Mapping[str, str]) -> None:
        """Take the ids of the newest entry, by which the platform knows the person until the work is decided."""
        self.submission_id, self.parameters = submission_id, parameters

    def is_late(self, now: datetime) -> bool:
        """Return whether the time for the work has passed."""
        return self.state is AssignmentState.WORKING and now > self.deadline + GRACE

    def exclusion_appealed(self, task_slug: str, now: datetime) -> None:
        """Report that the person appeals against being excluded from the task's campaigns."""
        self.record(
            ExclusionAppealed(
                assignment_id=self.assignment_id,
                campaign_id=self.campaign_id,
                round_id=self.round_id,
                task_slug=task_slug,
                appealed_at=now,
            )
        )

    def _record(self) -> None:
        self.record(
            AssignmentStateChanged(
                assignment_id=self.assignment_id,
                campaign_id=self.campaign_id,
                round_id=self.round_id,
                person_id=self.person_id,
                work=self.work,
                state=self.state,
                changed_at=self.changed_at,
                stopped_at=self.stopped_at,
            )
        )
