"""Queries, bodies and answers about the open work of a task's owner."""

from datetime import datetime
from uuid import UUID

from dynabench_common.schemas import Input, PageQuery, Text, cursor_invalid, decode_cursor, encode_cursor
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.values import Value
from pydantic import BaseModel, Field

from validation.domain.owner_work import Disagreement, WorkKind
from validation.entrypoints.http.decision_schemas import Reason
from validation.entrypoints.http.lease_schemas import LONGEST_NAME
from validation.queries.votes import Record
from validation.queries.work import Position, WorkFilter

MOST_REQUEUED = 200
MOST_ROUNDS = 50


class WorkQuery(PageQuery):
    """Which examples of the owner's queue are asked for."""

    kind: WorkKind | None = Field(default=None, description="Why they wait; without it, for any reason")
    claimed: Text | None = Field(
        default=None, max_length=LONGEST_NAME, description="What their authors claim, as a value text"
    )
    agreed: Text | None = Field(
        default=None,
        max_length=LONGEST_NAME,
        description="What their voters agreed on, as a value text or `flag`",
    )
    disagreement: Disagreement | None = Field(
        default=None,
        description="author: no vote says what the author claims; voters: the votes don't all say the same",
    )

    def wanted(self) -> WorkFilter:
        """Return what the view takes."""
        return WorkFilter(self.kind, self.claimed, self.agreed, self.disagreement)

    def after(self) -> Position | None:
        """Return what the page before ended with. Raises Problem 422 for a cursor of another list."""
        if self.cursor is None:
            return None
        try:
            at, example_id = decode_cursor(self.cursor)
            return datetime.fromisoformat(at), UUID(example_id)
        except (TypeError, ValueError, AttributeError) as err:
            raise cursor_invalid() from err


class OptionCount(BaseModel):
    """How many votes say the same."""

    option: str = Field(description="The answer as a value text, or `flag`")
    count: int


class PosteriorAnswer(BaseModel):
    """What the statistics of all votes say of an example; evidence beside the resolution."""

    label: str
    p: float = Field(description="Probability of the label, 0 to 1")


class WorkItem(BaseModel):
    """An example that waits for the owner."""

    example_id: UUID
    context: dict[str, Value]
    input: dict[str, Value]
    claimed: Value | None
    resolution: Resolution | None
    kinds: list[WorkKind]
    votes: list[OptionCount] = Field(description="The votes that count, the most frequent answer first")
    posterior: PosteriorAnswer | None
    appealed_at: datetime | None
    oldest_at: datetime = Field(description="Since when it waits")


class WorkAnswer(BaseModel):
    """A page of the owner's queue, the longest waiting first."""

    items: list[WorkItem]
    next_cursor: str | None

    @classmethod
    def of(cls, found: list[Record], limit: int) -> "WorkAnswer":
        """Return the page of `found`, which holds one item more if there is a next page."""
        items = [WorkItem.model_validate(record) for record in found[:limit]]
        if len(found) <= limit:
            return cls(items=items, next_cursor=None)
        last = items[-1]
        return cls(items=items, next_cursor=encode_cursor(last.oldest_at.isoformat(), str(last.example_id)))


class ExamplesWaiting(BaseModel):
    """How many examples of a round wait, and for whom."""

    disputed: int
    flagged: int
    appealed: int
    low_posterior: int
    pending: int = Field(description="Examples that wait for votes")
    oldest_pending_at: datetime | None = Field(description="When the oldest of them was created")
    leases_out: int = Field(description="Leases that people hold right now")


class WorkCountsAnswer(ExamplesWaiting):
    """How much waits in a round, and for whom."""

    pause_appeals: int = Field(
        default=0, description="Paused validators of the task whose appeal waits for its owner"
    )


class RoundsQuery(Input):
    """Rounds that are asked about together."""

    round_id: list[UUID] = Field(
        min_length=1, max_length=MOST_ROUNDS, description="Named once for each round"
    )


class RoundWorkCounts(ExamplesWaiting):
    """How many examples of one of several rounds wait."""

    round_id: UUID


class RoundsWorkCountsAnswer(BaseModel):
    """How much waits in each of the rounds; one that is not known here yet is left out."""

    items: list[RoundWorkCounts]


class RequeueBody(Input):
    """Examples about which people are asked anew."""

    example_ids: list[UUID] = Field(min_length=1, max_length=MOST_REQUEUED)
    reason: Reason = Field(description="Why the votes so far don't decide, for the audit log and for appeals")


class RequeueAnswer(BaseModel):
    """How many examples wait again."""

    requeued: int = Field(description="Those left out were withdrawn, or wait for their first vote still")
