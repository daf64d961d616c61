"""A person's notice settings: kinds on the pages, kinds by mail, and the frequency of mails."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from accounts.domain.notices import NoticeKind


class MailPace(StrEnum):
    """How often a mail with notices comes at most; none comes where there is nothing new."""

    NEVER = "never"
    DAILY = "daily"
    WEEKLY = "weekly"


LEAST_BETWEEN = {MailPace.DAILY: timedelta(days=1), MailPace.WEEKLY: timedelta(days=7)}
"""Time between two mails."""


@dataclass(frozen=True)
class NoticeSettings:
    """Everything on the pages and a mail a day, unless the person chose otherwise.

    Mail goes to confirmed addresses alone, whatever is chosen: an unconfirmed one may be a stranger's.
    """

    mail: MailPace = MailPace.DAILY
    not_on_page: Collection[NoticeKind] = ()
    not_by_mail: Collection[NoticeKind] = ()
