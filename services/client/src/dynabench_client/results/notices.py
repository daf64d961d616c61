"""Results about what one is told."""

from datetime import datetime

from dynabench_client.results.base import Page, Result


class Notice(Result):
    """What one is told of a round, task or submitted model; `counts` says how often each outcome came.

    `position` grows whenever a notice comes or grows. Names are None while accounts does not know them.
    """

    notice_id: str
    position: int
    kind: str
    counts: dict[str, int]
    round_id: str | None
    round_number: int | None
    task_slug: str | None
    task_title: str | None
    happened_at: datetime
    read_at: datetime | None
    submission_id: str | None
    model: str | None


class Notices(Page[Notice]):
    """A page of one's notices, newest first; `unread` counts those of all pages."""

    unread: int


class NoticesRead(Result):
    """How many notices are left unread."""

    unread: int


class NoticeSettings(Result):
    """How one is told; without a confirmed address no mail comes, whatever `mail` says."""

    mail: str
    not_on_page: tuple[str, ...]
    not_by_mail: tuple[str, ...]
    is_email_confirmed: bool
