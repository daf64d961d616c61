"""Boards of people, and badges."""

from datetime import date

from pydantic import Field

from dynabench_api.base import Id, Page, Record
from dynabench_api.rates import RateAnswer


class PersonRowAnswer(Record):
    """A row of a board of people. The person is named by id only."""

    person_id: Id
    rank: int | None = Field(description="Place; ties share it. Null for a person without tries here")
    tries: int
    decided: int = Field(
        description="Tries with a verdict, including retracted ones: the denominator of the rate"
    )
    fooled: int
    retracted: int
    validated_errors: int = Field(description="Validated errors among tries with a verdict")
    rate: RateAnswer = Field(description="validated_errors / decided, with Wilson's interval")


class UserBoardAnswer(Page[PersonRowAnswer]):
    """A page of a board of people, ranked by validated errors, then by the lower bound of the rate."""

    people: int = Field(description="Number of people on the board")
    mine: PersonRowAnswer | None = Field(description="The caller's row, on every page; null if not signed in")


class PersonPlaceAnswer(Record):
    """A person's place by validated errors."""

    person_id: Id
    rank: int = Field(description="Ties share it")
    validated_errors: int


class PeopleRanksAnswer(Record):
    """The first 100 people by validated errors, in a task or in all tasks, of this week or of all time."""

    week: str | None = Field(description="The ISO week (UTC), for example 2026-W10; null for all time")
    people: int = Field(description="People with a validated error")
    items: tuple[PersonPlaceAnswer, ...]
    mine: PersonPlaceAnswer | None = Field(
        description="The caller's place; null if not signed in or without a validated error"
    )


class PersonWeekAnswer(Record):
    """A person's validated errors of a week in all tasks."""

    week: str = Field(description="An ISO week (UTC), for example 2026-W10")
    validated_errors: int


class PersonWeeksAnswer(Record):
    """The weeks with validated errors of a person, the newest first, at most 52."""

    person_id: Id
    items: tuple[PersonWeekAnswer, ...]


class OwnWeekAnswer(Record):
    """Figures of the caller's own tries since Monday (UTC), in all tasks."""

    week: str = Field(description="The ISO week, for example 2026-W10")
    tries: int
    fooled: int = Field(description="Tries that fooled a model and were not rejected")
    validated_errors: int
    in_a_row: int = Field(description="The caller's newest tries with a verdict that fooled, without a break")
    rank: int | None = Field(
        description="Place by the week's validated errors; ties share it. Null without a validated error"
    )
    people: int = Field(description="People with a validated error this week")


class BadgeAnswer(Record):
    """A person's badge. Task, round and week are null if they do not apply."""

    name: str
    earned_on: date = Field(description="Day (UTC) of the try, vote or publication that earned it")
    task_slug: str | None
    task_title: str | None
    round_id: Id | None
    week: str | None = Field(description="The won ISO week, for example 2026-W10")


class OwnBadgeAnswer(BadgeAnswer):
    """The caller's own badge, with the example that earned it."""

    example_id: Id | None


class ProgressAnswer(Record):
    """The progress towards the next badge: `reached` of `needed`."""

    name: str
    task_slug: str | None
    task_title: str | None
    reached: int
    needed: int


class BadgesAnswer(Record):
    """A person's badges, the newest first."""

    person_id: Id
    items: tuple[BadgeAnswer, ...]


class OwnBadgesAnswer(Record):
    """The caller's own badges, the newest first, and the next badge of each kind."""

    person_id: Id
    items: tuple[OwnBadgeAnswer, ...]
    next: tuple[ProgressAnswer, ...]
