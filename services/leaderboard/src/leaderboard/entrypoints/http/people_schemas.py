"""Request and response schemas of the routes about people."""

from collections.abc import Mapping
from datetime import date
from typing import Self
from uuid import UUID

from dynabench_common.schemas import IDENTIFIER, PageQuery, cursor_invalid, decode_cursor, encode_cursor
from pydantic import BaseModel, Field

from leaderboard.domain.badges import Badge, Progress
from leaderboard.domain.user_board import BoardPlace, PersonRow, UserBoard
from leaderboard.entrypoints.http.rate_schemas import RateAnswer
from leaderboard.queries.people import PersonBadges
from leaderboard.queries.person_facts import TaskName

LARGEST = 2**31 - 1


class PersonPath(BaseModel):
    """A person in an address."""

    person_id: UUID


class UserBoardQuery(PageQuery):
    """A page of a board of people."""

    def place(self) -> BoardPlace | None:
        """Return the place that the page starts after. Raises Problem 422 for a cursor of another list."""
        match decode_cursor(self.cursor) if self.cursor else None:
            case None:
                return None
            case [int() as errors, int() as decided, str() as person_id] if (
                0 <= errors <= LARGEST and 0 <= decided <= LARGEST and IDENTIFIER.fullmatch(person_id)
            ):
                return BoardPlace(errors, decided, UUID(person_id))
        raise cursor_invalid()


class PersonRowAnswer(BaseModel):
    """A person on a board, by id alone."""

    person_id: UUID
    rank: int | None = Field(description="Shared by equals; null for who has not tried anything here")
    tries: int
    decided: int = Field(description="Tries with a verdict, retracted ones too: what the rate divides by")
    fooled: int
    retracted: int
    validated_errors: int = Field(description="Among tries with a verdict")
    rate: RateAnswer = Field(description="validated_errors / decided, with Wilson's interval")

    @classmethod
    def of(cls, row: PersonRow) -> Self:
        """Return the answer for a row."""
        return cls(
            person_id=row.person_id,
            rank=row.rank,
            tries=row.counts.tries,
            decided=row.counts.decided,
            fooled=row.counts.fooled,
            retracted=row.counts.retracted,
            validated_errors=row.counts.errors,
            rate=RateAnswer.of(row.rate),
        )


class UserBoardAnswer(BaseModel):
    """A page of a board of people: validated errors, ties by the lower bound of the rate."""

    people: int = Field(description="Everybody on the board")
    items: list[PersonRowAnswer]
    mine: PersonRowAnswer | None = Field(description="Of who asks, on every page; null without a person")
    next_cursor: str | None

    @classmethod
    def of(cls, board: UserBoard, limit: int) -> Self:
        """Return the answer for a board read with one row more than a page has."""
        page = board.rows[:limit]
        return cls(
            people=board.people,
            items=[PersonRowAnswer.of(row) for row in page],
            mine=None if board.mine is None else PersonRowAnswer.of(board.mine),
            next_cursor=_cursor(page[-1]) if len(board.rows) > limit else None,
        )


def _cursor(row: PersonRow) -> str:
    return encode_cursor(row.counts.errors, row.counts.decided, str(row.person_id))


class BadgeAnswer(BaseModel):
    """A badge that a person has; what it was earned with is null where there is nothing of the kind."""

    name: str
    earned_on: date = Field(description="Day (UTC) of the try, vote or publication with which it was reached")
    task_slug: str | None
    task_title: str | None
    round_id: UUID | None
    week: str | None = Field(description="The ISO week that was won, as in 2026-W10")

    @classmethod
    def of(cls, badge: Badge, tasks: Mapping[UUID, TaskName]) -> Self:
        """Return the answer for a badge."""
        mark = badge.mark
        return cls(
            name=badge.name,
            earned_on=mark.on,
            **_task(mark.task_id, tasks),
            round_id=mark.round_id,
            week=mark.week or None,
        )


class OwnBadgeAnswer(BadgeAnswer):
    """One's own badge, with the example that it was reached with."""

    example_id: UUID | None

    @classmethod
    def of(cls, badge: Badge, tasks: Mapping[UUID, TaskName]) -> Self:
        """Return the answer for a badge."""
        fields = BadgeAnswer.of(badge, tasks).model_dump()
        return cls(**fields, example_id=badge.mark.example_id)


class ProgressAnswer(BaseModel):
    """A badge that comes next: `reached` of `needed`."""

    name: str
    task_slug: str | None
    task_title: str | None
    reached: int
    needed: int

    @classmethod
    def of(cls, progress: Progress, tasks: Mapping[UUID, TaskName]) -> Self:
        """Return the answer for a badge that comes next."""
        return cls(
            name=progress.name,
            **_task(progress.task_id, tasks),
            reached=progress.reached,
            needed=progress.needed,
        )


class BadgesAnswer(BaseModel):
    """A person's badges, the newest first."""

    person_id: UUID
    items: list[BadgeAnswer]

    @classmethod
    def of(cls, found: PersonBadges) -> Self:
        """Return the answer for a person."""
        items = [BadgeAnswer.of(badge, found.tasks) for badge in found.earned]
        return cls(person_id=found.person_id, items=items)


class OwnBadgesAnswer(BaseModel):
    """One's own badges, the newest first, and the next of each kind."""

    person_id: UUID
    items: list[OwnBadgeAnswer]
    next: list[ProgressAnswer]

    @classmethod
    def of(cls, found: PersonBadges) -> Self:
        """Return the answer for who asks."""
        return cls(
            person_id=found.person_id,
            items=[OwnBadgeAnswer.of(badge, found.tasks) for badge in found.earned],
            next=[ProgressAnswer.of(progress, found.tasks) for progress in found.next],
        )


def _task(task_id: UUID | None, tasks: Mapping[UUID, TaskName]) -> dict[str, str | None]:
    named = None if task_id is None else tasks.get(task_id)
    return {"task_slug": named.slug if named else None, "task_title": named.title if named else None}
