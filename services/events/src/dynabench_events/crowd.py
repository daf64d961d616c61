"""Events about paid work. Published by crowd; no worker id of a platform is in any of them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from dynabench.crowd.v1 import crowd_pb2

from dynabench_events.codec import EventRecord, event

TOPIC = "dynabench.crowd.v1"


class AssignmentState(StrEnum):
    """The state of an assignment."""

    WORKING = "working"
    SUBMITTED = "submitted"
    APPROVED = "approved"
    REJECTED = "rejected"
    RETURNED = "returned"
    TIMED_OUT = "timed_out"
    SCREENED_OUT = "screened_out"


FREEING = frozenset(
    {
        AssignmentState.SUBMITTED,
        AssignmentState.RETURNED,
        AssignmentState.TIMED_OUT,
        AssignmentState.SCREENED_OUT,
    }
)
"""States in which the person works no more, so leases and contexts are free for others.

Approval and rejection follow much later, when the person may already work in another campaign.
"""


class Work(StrEnum):
    """The kind of work in a campaign."""

    CREATE = "create"
    VALIDATE = "validate"


@event(crowd_pb2.AssignmentStateChanged, of="assignment_id", at="changed_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class AssignmentStateChanged(EventRecord):
    """An assignment changed its state; `state` is the new one.

    `stopped_at` is when the person stopped working, None while they work. Later changes do not move it.
    """

    assignment_id: UUID
    campaign_id: UUID
    round_id: UUID
    person_id: UUID
    work: Work
    state: AssignmentState
    changed_at: datetime
    stopped_at: datetime | None


@event(crowd_pb2.CampaignPayLow, of="campaign_id", at="found_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignPayLow(EventRecord):
    """The measured hourly pay is below the operator's floor. Amounts are minor units of `currency`.

    `top_up_minor` is the proposed payment to add to each assignment.
    """

    campaign_id: UUID
    round_id: UUID
    task_slug: str
    hourly_minor: int
    floor_minor: int
    top_up_minor: int
    currency: str
    found_at: datetime


@event(crowd_pb2.ExclusionAppealed, of="assignment_id", at="appealed_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ExclusionAppealed(EventRecord):
    """A person who was excluded from a task's campaigns appeals, once an assignment."""

    assignment_id: UUID
    campaign_id: UUID
    round_id: UUID
    task_slug: str
    appealed_at: datetime
