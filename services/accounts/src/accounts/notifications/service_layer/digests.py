"""Digest mails of notices: for each person at most one a day or a week, and none without something new.

A mail and the record of its notices are written in one transaction. So neither a restart nor a second worker reports
anything twice. `mail.delivery` sends it.
"""

from dataclasses import dataclass
from datetime import timedelta

from accounts.mail.queue import SqlMails
from accounts.notifications.adapters.digests import SqlDigests
from accounts.notifications.service_layer.digest_letter import DigestLetters, Reader
from accounts.notifications.service_layer.notices import NotificationDependencies

LONGEST_LOOK_SECONDS = 60.0


@dataclass(frozen=True)
class DigestDependencies(NotificationDependencies):
    """Additional dependencies of the mails with notices.

    `digest_wait` is how long the first news waits for more, so that all of it comes in one mail.
    """

    letters: DigestLetters
    digest_wait: timedelta


def pause_seconds(app: DigestDependencies) -> float:
    """Return the pause between two checks for due mails."""
    return min(LONGEST_LOOK_SECONDS, max(1.0, app.digest_wait.total_seconds() / 4))


def write_due(app: DigestDependencies) -> int:
    """Write the mails that are due to some people; return their number."""
    now = app.clock.now()
    with app.engine.begin() as connection:
        digests, mails = SqlDigests(connection), SqlMails(connection)
        due = digests.due(now, app.digest_wait)
        for person in due:
            news = digests.news(person, now)
            token = app.unsubscribe_tokens.issue(person.person_id)
            reader = Reader(person.user_name, person.email, person.language, token)
            mails.add(app.letters.digest(reader, news, now))
            digests.note_mail(person, news, now)
    return len(due)
