"""Boards of people, and badges."""

from datetime import date

from dynabench_client.results.base import Page, Result
from dynabench_client.results.rates import Rate


class PersonRow(Result):
    """A person on a board; `rate` is validated errors / tries with a verdict. `rank` is None for who has not tried."""

    person_id: str
    rank: int | None
    tries: int
    decided: int
    fooled: int
    retracted: int
    validated_errors: int
    rate: Rate


class UserBoard(Page[PersonRow]):
    """A page of a board of people; `mine` is one's own row on every page, `people` everybody on the board."""

    people: int
    mine: PersonRow | None


class Badge(Result):
    """A badge that somebody has; `earned_on` is a day in UTC."""

    name: str
    earned_on: date
    task_slug: str | None
    task_title: str | None
    round_id: str | None
    week: str | None


class OwnBadge(Badge):
    """One's own badge, with the example that it was reached with."""

    example_id: str | None


class BadgeProgress(Result):
    """A badge that comes next: `reached` of `needed`."""

    name: str
    task_slug: str | None
    task_title: str | None
    reached: int
    needed: int


class Badges(Result):
    """Somebody's badges, the newest first."""

    person_id: str
    items: tuple[Badge, ...]


class OwnBadges(Result):
    """One's own badges, the newest first, and the next of each kind."""

    person_id: str
    items: tuple[OwnBadge, ...]
    next: tuple[BadgeProgress, ...]
