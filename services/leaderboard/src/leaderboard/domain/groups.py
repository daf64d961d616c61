"""A round's figures by group: the condition, the cohort, the tags of the context, or the week of the try.

A try without a condition, a cohort or a tag is in no group of that dimension; a try whose context has several tags
is in the group of each. Totals have their own table: a page needs all counts of a group once, and of
each author only what the intervals need.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from leaderboard.domain.facts import Try
from leaderboard.domain.tally import Counted, Tally


class Dimension(StrEnum):
    """Groupings of tries."""

    CONDITION = "condition"
    COHORT = "cohort"
    TAG = "tag"
    WEEK = "week"


class GroupKey(NamedTuple):
    """A group of a round."""

    round_id: UUID
    dimension: str
    name: str


class GroupAuthorKey(NamedTuple):
    """One author's work within a group; NOBODY stands for unknown authors."""

    round_id: UUID
    dimension: str
    name: str
    author_id: UUID


class AuthorSums(NamedTuple):
    """Sums of an author for intervals, as in a tally; errors are those of both strata."""

    decided: int = 0
    fooled: int = 0
    errors: int = 0
    fooled_resolved: int = 0
    fooled_correct: int = 0
    stratum_fooled: int = 0
    stratum_fooled_resolved: int = 0
    stratum_fooled_errors: int = 0
    stratum_not_fooled: int = 0
    stratum_not_fooled_resolved: int = 0


def group_shares(counted: Counted) -> Iterator[tuple[GroupKey, Tally]]:
    """Yield what the example adds to each group that it is in."""
    if counted.example.attempt is not None and counted.of_rule is not None:
        key, tally = counted.of_rule
        for dimension, name in _groups(counted.example.attempt):
            yield GroupKey(key.round_id, dimension, name), tally


def group_author_shares(counted: Counted) -> Iterator[tuple[GroupAuthorKey, AuthorSums]]:
    """Yield what the example adds to its author's sums in each group."""
    if counted.example.attempt is not None and counted.of_rule is not None:
        key, tally = counted.of_rule
        sums = author_sums(tally)
        for dimension, name in _groups(counted.example.attempt):
            yield GroupAuthorKey(key.round_id, dimension, name, key.author_id), sums


def author_sums(tally: Tally) -> AuthorSums:
    """Return the part of a tally that the intervals need."""
    return AuthorSums._make(getattr(tally, name) for name in AuthorSums._fields)


def week(moment: datetime) -> str:
    """Return the ISO week in UTC, for example 2026-W10."""
    year, number, _ = moment.astimezone(UTC).isocalendar()
    return f"{year:04}-W{number:02}"


def _groups(attempt: Try) -> Iterator[tuple[str, str]]:
    if attempt.condition:
        yield Dimension.CONDITION.value, attempt.condition
    if attempt.cohort:
        yield Dimension.COHORT.value, attempt.cohort
    for tag in attempt.tags:
        yield Dimension.TAG.value, tag
    yield Dimension.WEEK.value, week(attempt.created_at)
