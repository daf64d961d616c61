"""Requests and answers about people."""

from collections.abc import Mapping
from typing import Literal
from uuid import UUID

from dynabench_api.badges import (
    BadgeAnswer,
    BadgesAnswer,
    OwnBadgeAnswer,
    OwnBadgesAnswer,
    PersonRowAnswer,
    ProgressAnswer,
    UserBoardAnswer,
)
from dynabench_common.http.schemas import (
    PageQuery,
    Parameters,
    Text,
    cursor_id,
    cursor_number,
    cut_page,
    page_start,
)
from pydantic import BaseModel, Field

from leaderboard.domain.badges import Badge, Progress
from leaderboard.domain.user_board import BoardPlace, PersonRow, UserBoard
from leaderboard.queries.people import PersonBadges
from leaderboard.queries.person_facts import TaskName


class PersonPath(BaseModel):
    """A person in an address."""

    person_id: UUID


class RanksQuery(Parameters):
    """A task or all tasks, and this week or all time."""

    task: Text | None = Field(default=None, max_length=100, description="A task's slug; without it all tasks")
    period: Literal["week", "all"] = "all"


class UserBoardQuery(PageQuery):
    """A page of a board of people."""

    def place(self) -> BoardPlace | None:
        """Return the place that the page starts after. Raises Problem 422 for a cursor of another list."""
        return page_start(self.cursor, _place)


def _place(errors: object, decided: object, person_id: object) -> BoardPlace:
    return BoardPlace(cursor_number(errors), cursor_number(decided), cursor_id(person_id))


def person_row_answer(row: PersonRow) -> PersonRowAnswer:
    """Return the answer for a row."""
    return PersonRowAnswer(
        person_id=row.person_id,
        rank=row.rank,
        tries=row.counts.tries,
        decided=row.counts.decided,
        fooled=row.counts.fooled,
        retracted=row.counts.retracted,
        validated_errors=row.counts.errors,
        rate=row.rate,
    )


def user_board_answer(board: UserBoard, limit: int) -> UserBoardAnswer:
    """Return the answer for a board read with one row more than a page has."""
    page, cursor = cut_page(
        board.rows, limit, lambda row: (row.counts.errors, row.counts.decided, row.person_id)
    )
    return UserBoardAnswer(
        people=board.people,
        items=[person_row_answer(row) for row in page],
        mine=None if board.mine is None else person_row_answer(board.mine),
        next_cursor=cursor,
    )


def badge_answer(badge: Badge, tasks: Mapping[UUID, TaskName]) -> BadgeAnswer:
    """Return the answer for a badge."""
    mark = badge.mark
    return BadgeAnswer(
        name=badge.name,
        earned_on=mark.on,
        **_task(mark.task_id, tasks),
        round_id=mark.round_id,
        week=mark.week or None,
    )


def own_badge_answer(badge: Badge, tasks: Mapping[UUID, TaskName]) -> OwnBadgeAnswer:
    """Return the answer for a badge."""
    fields = badge_answer(badge, tasks).model_dump()
    return OwnBadgeAnswer(**fields, example_id=badge.mark.example_id)


def progress_answer(progress: Progress, tasks: Mapping[UUID, TaskName]) -> ProgressAnswer:
    """Return the answer for a badge that comes next."""
    return ProgressAnswer(
        name=progress.name,
        **_task(progress.task_id, tasks),
        reached=progress.reached,
        needed=progress.needed,
    )


def badges_answer(found: PersonBadges) -> BadgesAnswer:
    """Return the answer for a person."""
    items = [badge_answer(badge, found.tasks) for badge in found.earned]
    return BadgesAnswer(person_id=found.person_id, items=items)


def own_badges_answer(found: PersonBadges) -> OwnBadgesAnswer:
    """Return the answer for who asks."""
    return OwnBadgesAnswer(
        person_id=found.person_id,
        items=[own_badge_answer(badge, found.tasks) for badge in found.earned],
        next=[progress_answer(progress, found.tasks) for progress in found.next],
    )


def _task(task_id: UUID | None, tasks: Mapping[UUID, TaskName]) -> dict[str, str | None]:
    named = None if task_id is None else tasks.get(task_id)
    return {"task_slug": named.slug if named else None, "task_title": named.title if named else None}
