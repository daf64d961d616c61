"""The groups of examples by which figures of agreement are split."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

NOBODY = UUID(int=0)


class GroupKind(StrEnum):
    """Groupings of examples. A round as a whole is the one group of its kind."""

    ROUND = "round"
    SEGMENT = "segment"
    TARGET = "target"
    CONDITION = "condition"
    COHORT = "cohort"
    TAG = "tag"
    WEEK = "week"


class Group(NamedTuple):
    """A group within its round; the round's own has an empty name."""

    kind: GroupKind
    name: str


WHOLE_ROUND = Group(GroupKind.ROUND, "")


def groups_of(
    *,
    segment_id: UUID | None,
    targets: Iterable[str],
    condition: str | None,
    cohort: str | None,
    tags: Iterable[str],
    created_at: datetime,
) -> tuple[Group, ...]:
    """Return every group that an example is in.

    It is in the groups of all its targets and of all its tags, and in no group of a kind that it lacks. A week is the
    ISO 8601 week of its creation, UTC.
    """
    year, week, _ = created_at.isocalendar()
    found = [
        WHOLE_ROUND,
        *((GroupKind.TARGET, name) for name in targets),
        *((GroupKind.TAG, tag) for tag in tags),
        (GroupKind.SEGMENT, str(segment_id) if segment_id not in {None, NOBODY} else ""),
        (GroupKind.CONDITION, condition or ""),
        (GroupKind.COHORT, cohort or ""),
        (GroupKind.WEEK, f"{year}-W{week:02}"),
    ]
    named = (Group(kind, name) for kind, name in found if name or kind is GroupKind.ROUND)
    return tuple(dict.fromkeys(named))
