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
