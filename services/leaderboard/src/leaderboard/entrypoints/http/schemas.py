"""Requests about the figures of rounds and tasks."""

from uuid import UUID

from dynabench_common.http.schemas import PageQuery, Parameters, cursor_name, page_start
from pydantic import BaseModel, Field

from leaderboard.queries.boards import By


class RoundPath(BaseModel):
    """A round in an address."""

    round_id: UUID


class OwnQuery(Parameters):
    """Filters of one's own tries."""

    round_id: UUID | None = Field(
        default=None, description="Only tries in this round; all rounds if left out"
    )


class BreakdownQuery(Parameters):
    """The dimension for the breakdown of a round."""

    by: By = Field(
        description="Dimension of the groups. A try is in the group of each tag of its context. Weeks are ISO "
        "weeks in UTC"
    )


class TasksQuery(PageQuery):
    """A page of tasks."""

    def after_slug(self) -> str:
        """Return the slug that the page starts after. Raises Problem 422 for a cursor of another list."""
        return page_start(self.cursor, cursor_name) or ""
