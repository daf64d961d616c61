"""Boards of people, and badges."""

from datetime import date

from pydantic import Field

from dynabench_api.base import Id, Page, Record
from dynabench_api.rates import RateAnswer


class PersonRowAnswer(Record):
    """A person on a board, by id alone."""

    person_id: Id
    rank: int | None = Field(description="Shared by equals; null for who has not tried anything here")
    tries: int
    decided: int = Field(description="Tries with a verdict, retracted ones too: what the rate divides by")
    fooled: int
    retracted: int
    validated_errors: int = Field(description="Among tries with a verdict")
    rate: RateAnswer = Field(description="validated_errors / decided, with Wilson's interval")


class UserBoardAnswer(Page[PersonRowAnswer]):
    """A page of a board of people: validated errors, ties by the lower bound of the rate."""

    people: int = Field(description="Everybody on the board")
    mine: PersonRowAnswer | None = Field(description="Of who asks, on every page; null without a person")


class BadgeAnswer(Record):
    """A badge that a person has; what it was earned with is null where there is nothing of the kind."""

    name: str
    earned_on: date = Field(description="Day (UTC) of the try, vote or publication with which it was reached")
    task_slug: str | None
    task_title: str | None
    round_id: Id | None
    week: str | None = Field(description="The ISO week that was won, as in 2026-W10")


class OwnBadgeAnswer(BadgeAnswer):
    """One's own badge, with the example that it was reached with."""

    example_id: Id | None


class ProgressAnswer(Record):
    """A badge that comes next: `reached` of `needed`."""

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
    """One's own badges, the newest first, and the next of each kind."""

    person_id: Id
    items: tuple[OwnBadgeAnswer, ...]
    next: tuple[ProgressAnswer, ...]
