"""Queries, bodies and answers about the open work of a task's owner."""

from uuid import UUID

from dynabench_api.validation import WorkAnswer, WorkItem
from dynabench_common.http.schemas import Input, PageQuery, Text, cursor_moment_and_id, cut_page, page_start
from pydantic import Field

from validation.domain.owner_work import Disagreement, WorkKind
from validation.entrypoints.http.decision_schemas import Reason
from validation.entrypoints.http.lease_schemas import LONGEST_NAME
from validation.queries.votes import Record
from validation.queries.work import Position, WorkFilter

MOST_REQUEUED = 200
MOST_ROUNDS = 50


class WorkQuery(PageQuery):
    """Filters of the owner's queue."""

    kind: WorkKind | None = Field(default=None, description="Reason for the wait; any reason if left out")
    claimed: Text | None = Field(
        default=None, max_length=LONGEST_NAME, description="The author's claim, as a value text"
    )
    agreed: Text | None = Field(
        default=None,
        max_length=LONGEST_NAME,
        description="The agreed answer, as a value text or `flag`",
    )
    disagreement: Disagreement | None = Field(
        default=None,
        description="author: no vote equals the author's claim. voters: the votes are not all equal",
    )

    def wanted(self) -> WorkFilter:
        """Return what the view takes."""
        return WorkFilter(self.kind, self.claimed, self.agreed, self.disagreement)

    def after(self) -> Position | None:
        """Return what the page before ended with. Raises Problem 422 for a cursor of another list."""
        return page_start(self.cursor, cursor_moment_and_id)


def work_answer(found: list[Record], limit: int) -> WorkAnswer:
    """Return the page of `found`, which holds one item more if there is a next page."""
    page, cursor = cut_page(found, limit, lambda record: (record["oldest_at"], record["example_id"]))
    return WorkAnswer(items=[WorkItem.model_validate(record) for record in page], next_cursor=cursor)


class RoundsQuery(Input):
    """The ids of several rounds."""

    round_id: list[UUID] = Field(
        min_length=1, max_length=MOST_ROUNDS, description="Id of a round. Repeat the parameter for each round"
    )


class RequeueBody(Input):
    """Examples that need new votes."""

    example_ids: list[UUID] = Field(min_length=1, max_length=MOST_REQUEUED)
    reason: Reason = Field(
        description="Reason why the votes are set aside, for the audit log and for appeals"
    )
