"""Requests about the figures of rounds and tasks."""

from uuid import UUID

from dynabench_common.http.schemas import PageQuery, cursor_name, page_start
from pydantic import BaseModel, Field

from leaderboard.queries.boards import By


class RoundPath(BaseModel):
    """A round in an address."""

    round_id: UUID


class OwnQuery(BaseModel):
    """Filters of one's own tries."""

    round_id: UUID | None = Field(default=None, description="One round; without it, all rounds")


class BreakdownQuery(BaseModel):
    """By what a round is broken down."""

    by: By = Field(description="A try is in the group of each tag of its context; weeks are ISO weeks, UTC")


class TasksQuery(PageQuery):
    """A page of tasks."""

    def after_slug(self) -> str:
        """Return the slug that the page starts after. Raises Problem 422 for a cursor of another list."""
        return page_start(self.cursor, cursor_name) or ""
