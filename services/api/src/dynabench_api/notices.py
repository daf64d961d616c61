"""A person's notifications and their settings."""

from datetime import datetime

from pydantic import Field

from dynabench_api.base import Id, Page, Record
from dynabench_api.words import MailPace, NoticeKind


class NoticeAnswer(Record):
    """A notification about one round, task or submitted model."""

    notice_id: Id
    position: int = Field(description="Grows with every notice that comes or grows")
    kind: NoticeKind
    counts: dict[str, int] = Field(description="How often each outcome came, such as correct or disputed")
    round_id: Id | None
    round_number: int | None = Field(description="Null while it is not known here")
    task_slug: str | None
    task_title: str | None
    happened_at: datetime = Field(description="The newest of what it tells")
    read_at: datetime | None
    submission_id: Id | None = Field(description="Of a notice about a model")
    model: str | None = Field(description="Name and version of that model")


class NoticesAnswer(Page[NoticeAnswer]):
    """A page of one's notices."""

    unread: int = Field(description="Of all pages together")


class NoticesReadAnswer(Record):
    """The number of unread notifications."""

    unread: int = Field(description="What came or grew since then")


class SettingsAnswer(Record):
    """A person's choices for notifications."""

    mail: MailPace = Field(description="daily unless one chose otherwise; never more than that")
    not_on_page: tuple[NoticeKind, ...]
    not_by_mail: tuple[NoticeKind, ...]
    is_email_confirmed: bool = Field(description="Without it no mail comes, whatever was chosen")
