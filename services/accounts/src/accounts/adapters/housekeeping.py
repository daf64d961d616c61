"""Removal of expired rows, so that tables of short-lived things stay small."""

from datetime import datetime, timedelta

from sqlalchemy import Engine, delete

from accounts.adapters.notice_tables import notice, notice_example
from accounts.adapters.tables import link, mail, session, sign_in_failure
from accounts.domain.link import LIFETIME
from accounts.domain.notices import STALE_AFTER
from accounts.domain.throttle import SIGN_UP_WINDOW

INTERVAL_SECONDS = 3600
KEEP_EXPIRED_SESSIONS = timedelta(days=1)
KEEP_MAILS = timedelta(days=7)
KEEP_NOTICES = timedelta(days=180)


def clean(engine: Engine, now: datetime) -> None:
    """Delete expired sessions with their refresh tokens, finished counts, ended links, and old notices.

    Also delete the state of examples whose author never turned out to have an account here.
    """
    with engine.begin() as connection:
        connection.execute(delete(session).where(session.c.expires_at < now - KEEP_EXPIRED_SESSIONS))
        connection.execute(delete(sign_in_failure).where(sign_in_failure.c.since <= now - SIGN_UP_WINDOW))
        connection.execute(delete(link).where(link.c.expires_at < now - LIFETIME))
        connection.execute(delete(mail).where(mail.c.written_at < now - KEEP_MAILS, mail.c.body.is_(None)))
        connection.execute(delete(notice).where(notice.c.written_at < now - KEEP_NOTICES))
        nobody = notice_example.c.author_id.is_(None) & notice_example.c.waits_for.is_(None)
        connection.execute(
            delete(notice_example).where(nobody, notice_example.c.resolved_at < now - STALE_AFTER)
        )
