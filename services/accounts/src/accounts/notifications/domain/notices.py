"""Subjects of notices, the grouping of several changes into one notice, and how a person wants them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

OPEN_FOR = timedelta(hours=24)
"""Time in which a notice that was neither read nor mailed can take in more of its kind."""
STALE_AFTER = timedelta(days=14)
"""Older events cause no notice: they come from an outage or from a log that is read again.

Shorter than the inbox remembers applied events, so that no event is reported twice.
"""


class NoticeKind(StrEnum):
    """The subject of a notice."""

    EXAMPLE_RESOLVED = "example_resolved"
    EXAMPLE_DECIDED = "example_decided"
    APPEAL_ANSWERED = "appeal_answered"
    VALIDATING = "validating"
    ROUND_OPENED = "round_opened"
    ROUND_RELEASED = "round_released"
    GOAL_REACHED = "goal_reached"
    WORK_WAITS = "work_waits"
    MODEL_CHECKED = "model_checked"
    MODEL_WAITS = "model_waits"
    TARGET_LOST = "target_lost"
    TASK_REQUESTED = "task_requested"
    TASK_ANSWERED = "task_answered"
    EXAMPLE_ANSWERED = "example_answered"
    WORK_ASSIGNED = "work_assigned"
    WEEKLY_SUMMARY = "weekly_summary"
    MENTIONED = "mentioned"
    PAY_LOW = "pay_low"
    EXCLUSION_APPEALED = "exclusion_appealed"


ON_EXAMPLES = (NoticeKind.EXAMPLE_RESOLVED, NoticeKind.EXAMPLE_DECIDED, NoticeKind.APPEAL_ANSWERED)
"""Kinds that tell authors of their own examples."""


class MailPace(StrEnum):
    """The maximum frequency of mails with notices; no mail is sent without news."""

    NEVER = "never"
    DAILY = "daily"
    WEEKLY = "weekly"


LEAST_BETWEEN = {MailPace.DAILY: timedelta(days=1), MailPace.WEEKLY: timedelta(days=7)}
"""Time between two mails."""


@dataclass(frozen=True)
class NoticeSettings:
    """A person's notice settings; the default is every notice on the pages and one mail a day.

    Any setting sends mail only to confirmed addresses, since an unconfirmed one may be a stranger's.
    """

    mail: MailPace = MailPace.DAILY
    not_on_page: Collection[NoticeKind] = ()
    not_by_mail: Collection[NoticeKind] = ()


@dataclass(frozen=True)
class DueNotice:
    """News for an author about one example: its kind, the outcome, and when it happened."""

    kind: NoticeKind
    outcome: str
    at: datetime


@dataclass(frozen=True)
class NamedNotice:
    """A notice with the names of its subjects; a name is None while it is not known here.

    `position` grows whenever a notice of the platform is written or grows, so it orders a person's list.
    """

    notice_id: UUID
    position: int
    kind: NoticeKind
    counts: Mapping[str, int]
    round_id: UUID | None
    round_number: int | None
    task_slug: str | None
    task_title: str | None
    happened_at: datetime
    read_at: datetime | None
    submission_id: UUID | None = None
    model: str | None = None
    campaign_id: UUID | None = None
    example_id: UUID | None = None
    currency: str | None = None


@dataclass
class Notice:
    """Aggregate: a person's news about one round; `counts` has the number of times that each outcome came.

    `has_grown` and `is_changed` say how it must be written: one that grew moves to the top of its person's list.
    """

    notice_id: UUID
    person_id: UUID
    kind: NoticeKind
    round_id: UUID
    counts: dict[str, int]
    began_at: datetime
    happened_at: datetime
    read_at: datetime | None = None
    mailed_at: datetime | None = None
    is_new: bool = field(default=False, compare=False)
    has_grown: bool = field(default=False, compare=False)
    is_changed: bool = field(default=False, compare=False)

    @property
    def is_open(self) -> bool:
        """Return whether it was neither read nor mailed, so that it can take in more."""
        return self.read_at is None and self.mailed_at is None

    def takes_in(self, at: datetime) -> bool:
        """Return whether one more of its kind and round, which happened then, belongs into it."""
        return self.is_open and abs(at - self.began_at) < OPEN_FOR

    def add(self, outcome: str, at: datetime) -> None:
        """Count one more."""
        self.counts[outcome] = self.counts.get(outcome, 0) + 1
        self.happened_at = max(self.happened_at, at)
        self.has_grown = self.is_changed = True

    def take_back(self, outcome: str) -> None:
        """Count one less: something else came out of it, or nothing yet."""
        left = self.counts.get(outcome, 0) - 1
        self.counts.pop(outcome, None)
        if left > 0:
            self.counts[outcome] = left
        self.is_changed = True


def begin(notice_id: UUID, person_id: UUID, round_id: UUID, due: DueNotice) -> Notice:
    """Return a new notice of one example."""
    return Notice(
        notice_id=notice_id,
        person_id=person_id,
        kind=due.kind,
        round_id=round_id,
        counts={due.outcome: 1},
        began_at=due.at,
        happened_at=due.at,
        is_new=True,
    )


def is_news(at: datetime, started_at: datetime, now: datetime) -> bool:
    """Return whether an event deserves a notice: it is recent and happened after notices were introduced here."""
    return at >= started_at and at > now - STALE_AFTER


def has_more(before: Mapping[str, int], now: Mapping[str, int]) -> bool:
    """Return whether more waits for an owner than before, of any kind."""
    return any(number > before.get(name, 0) for name, number in now.items())
