"""A mail to send: stored until it is sent, retried while no server accepts it, discarded when it is of no use."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

FIRST_WAIT = timedelta(seconds=15)
LONGEST_WAIT = timedelta(minutes=15)
LIFE_OF_NOTICES = timedelta(days=5)
ATTEMPT_LIMIT = timedelta(minutes=2)
"""Time limit of an attempt; then another process may try. So a mail may be sent twice, but is never lost."""
LONGEST_TROUBLE = 300


class MailRefused(Exception):
    """No server accepted a mail; `for_good` if no later attempt can succeed."""

    def __init__(self, reason: str, *, for_good: bool = False) -> None:
        super().__init__(reason)
        self.for_good = for_good


class LinkEnded(Exception):
    """The link of a mail is unknown, was used, or has expired."""


@dataclass
class Mail:
    """Aggregate. `body` is None once the mail was sent or abandoned: it may have contained a link.

    `unsubscribe` is the address by which mail programs end mails of this kind; None where they can't be ended.
    """

    mail_id: UUID
    recipient: str
    subject: str
    body: str | None
    written_at: datetime
    expires_at: datetime
    due_at: datetime
    attempts: int = 0
    trouble: str | None = None
    sent_at: datetime | None = None
    given_up_at: datetime | None = None
    unsubscribe: str | None = None

    def begin_attempt(self, now: datetime) -> bool:
        """Begin an attempt, or abandon an expired mail; tell which."""
        if now >= self.expires_at:
            self._give_up(now)
            return False
        self.attempts += 1
        self.due_at = now + ATTEMPT_LIMIT
        return True

    def sent(self, now: datetime) -> None:
        """Note that a server accepted the mail."""
        self.sent_at, self.body, self.unsubscribe, self.trouble = now, None, None, None

    def failed(self, now: datetime, trouble: str, *, for_good: bool) -> None:
        """Note that no server accepted it. Each further attempt waits longer; with `for_good` there is none."""
        self.trouble = trouble[:LONGEST_TROUBLE]
        if for_good:
            self._give_up(now)
        else:
            self.due_at = now + min(FIRST_WAIT * 2 ** min(self.attempts - 1, 10), LONGEST_WAIT)

    def _give_up(self, now: datetime) -> None:
        self.given_up_at, self.body, self.unsubscribe = now, None, None


def write(
    mail_id: UUID, recipient: str, subject: str, body: str, now: datetime, life: timedelta = LIFE_OF_NOTICES
) -> Mail:
    """Return a new mail, due at once."""
    return Mail(mail_id, recipient, subject, body, now, now + life, now)
