"""Removes what has expired, so that the tables of short-lived things stay small."""

import threading
from datetime import timedelta

from dynabench_common.clock import Clock
from dynabench_common.logging import get_logger
from sqlalchemy import Engine, delete
from sqlalchemy.exc import SQLAlchemyError

from accounts.adapters.tables import link, mail, session, sign_in_failure
from accounts.domain.link import LIFETIME
from accounts.domain.throttle import SIGN_UP_WINDOW

log = get_logger(__name__)
INTERVAL_SECONDS = 3600
KEEP_EXPIRED_SESSIONS = timedelta(days=1)
KEEP_MAILS = timedelta(days=7)


class Housekeeping:
    """A worker's component; an outage of the database only postpones it."""

    name = "housekeeping"

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock

    def run(self, stop: threading.Event) -> None:
        """Clean up now and then every hour until `stop`."""
        while True:
            try:
                self.clean()
            except SQLAlchemyError as err:
                log.warning("housekeeping_postponed", reason=str(err))
            if stop.wait(INTERVAL_SECONDS):
                return

    def clean(self) -> None:
        """Delete expired sessions, with their refresh tokens, finished counts, ended links, and mails sent long ago."""
        now = self._clock.now()
        with self._engine.begin() as connection:
            connection.execute(delete(session).where(session.c.expires_at < now - KEEP_EXPIRED_SESSIONS))
            connection.execute(delete(sign_in_failure).where(sign_in_failure.c.since <= now - SIGN_UP_WINDOW))
            connection.execute(delete(link).where(link.c.expires_at < now - LIFETIME))
            connection.execute(
                delete(mail).where(mail.c.written_at < now - KEEP_MAILS, mail.c.body.is_(None))
            )
