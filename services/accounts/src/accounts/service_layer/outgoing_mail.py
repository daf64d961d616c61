"""Delivery of waiting mails, with retries.

One transaction claims a mail, and another records the result, so no lock is open while a server responds. A process
that ends in between leaves a mail that is sent again, never one that is lost.
"""

import threading

from dynabench_common.clock import Clock
from dynabench_common.logging import get_logger
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from accounts.adapters.mails import SqlMails
from accounts.domain.errors import MailRefused
from accounts.domain.mail import Mail
from accounts.service_layer.ports import MailSender

log = get_logger(__name__)
LOOK_SECONDS = 1.0


class OutgoingMail:
    """A worker's component; an outage of the database or of the mail server only postpones its work."""

    name = "mail"

    def __init__(self, engine: Engine, sender: MailSender, clock: Clock) -> None:
        self._engine = engine
        self._sender = sender
        self._clock = clock

    def run(self, stop: threading.Event) -> None:
        """Send what is due until `stop`."""
        while not stop.is_set():
            try:
                found_some = self.send_next()
            except SQLAlchemyError as err:
                log.warning("mail_postponed", reason=str(err))
                found_some = False
            if not found_some and stop.wait(LOOK_SECONDS):
                return

    def send_next(self) -> bool:
        """Try to send the mail that is due longest; tell whether there was one."""
        now = self._clock.now()
        with self._engine.begin() as connection:
            mails = SqlMails(connection)
            mail = mails.lock_due(now)
            if mail is None:
                return False
            is_worth_it = mail.take_in_hand(now)
            mails.save(mail)
        if is_worth_it:
            self._attempt(mail)
        else:
            log.warning("mail_given_up", mail_id=str(mail.mail_id), trouble=mail.trouble)
        return True

    def _attempt(self, mail: Mail) -> None:
        try:
            self._sender.send(mail)
        except MailRefused as err:
            mail.failed(self._clock.now(), str(err), for_good=err.for_good)
            log.warning("mail_refused", mail_id=str(mail.mail_id), attempts=mail.attempts, reason=str(err))
        except Exception as err:  # one mail that can't be written must not keep the others
            mail.failed(self._clock.now(), f"{type(err).__name__}: {err}", for_good=False)
            log.exception("mail_failed", mail_id=str(mail.mail_id), attempts=mail.attempts)
        else:
            mail.sent(self._clock.now())
        with self._engine.begin() as connection:
            SqlMails(connection).save(mail)
