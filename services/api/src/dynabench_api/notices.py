"""A person's notifications and their settings."""

from datetime import datetime

from pydantic import Field

from dynabench_api.base import Id, Page, Record
from dynabench_api.words import MailPace, NoticeKind


class NoticeAnswer(Record):
    """A notification about one round, task, submitted model or campaign."""

    notice_id: Id
    position: int = Field(description="Increases with each new or changed notification")
    kind: NoticeKind
    counts: dict[str, int] = Field(
        description="Counts by outcome, for example correct or disputed; amounts about a campaign's pay"
    )
    round_id: Id | None
    round_number: int | None = Field(
        description="Number of the round; null while this service does not know it"
    )
    task_slug: str | None
    task_title: str | None
    happened_at: datetime = Field(description="Time of the newest event in the notification")
    read_at: datetime | None
    submission_id: Id | None = Field(
        description="The submission; null unless the notification is about a model"
    )
    model: str | None = Field(
        description="Name and version of the model; null unless the notification is about a model"
    )
    campaign_id: Id | None = Field(
        description="The campaign; null unless the notification is about a campaign"
    )
    example_id: Id | None = Field(description="The example; null unless the notification is about a mention")
    currency: str | None = Field(
        description="ISO 4217 code of amounts in `counts`, which are in minor units; else null"
    )


class NoticesAnswer(Page[NoticeAnswer]):
    """A page of the caller's notifications."""

    unread: int = Field(description="Number of unread notifications on all pages")


class NoticesReadAnswer(Record):
    """The number of unread notifications."""

    unread: int = Field(description="Number of notifications that are new or changed since then")


class SettingsAnswer(Record):
    """A person's choices for notifications."""

    mail: MailPace = Field(description="Highest frequency of mails; daily by default")
    not_on_page: tuple[NoticeKind, ...]
    not_by_mail: tuple[NoticeKind, ...]
    is_email_confirmed: bool = Field(description="False means that no mail is sent, whatever the settings")
