"""Refusals, as exceptions that callers can distinguish."""

from dataclasses import dataclass

from leaderboard.domain.shared_boards import MOST_SNAPSHOTS, MOST_VIEWS


class RoundNotFound(Exception):
    """No round of this id is known."""


class TaskNotFound(Exception):
    """No task of this name is known."""


class ViewNotFound(Exception):
    """There is no such set of weights."""


class SnapshotNotFound(Exception):
    """There is no such frozen board."""


class NotYours(Exception):
    """Somebody else saved it."""


class NameTaken(Exception):
    """The person has a set of this name in the task."""


@dataclass(eq=False)
class TooManyViews(Exception):
    """The person has as many sets in the task as one may have."""

    most: int = MOST_VIEWS


@dataclass(eq=False)
class TooManySnapshots(Exception):
    """The person froze as many boards in a day as one may; `seconds` until the next."""

    seconds: int
    most: int = MOST_SNAPSHOTS
