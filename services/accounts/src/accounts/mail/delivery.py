"""Delivery of waiting mails, with retries.

One transaction claims a mail, and another records the result, so no lock is open while a server responds. A process
that ends in between leaves a mail that is sent again, never one that is lost.
"""

from dataclasses import dataclass
from typing import Protocol

from dynabench_common.clock import Clock
from dynabench_common.telemetry.logging import get_logger
from sqlalchemy import Engine

from accounts.mail.domain import Mail, MailRefused
from accounts.mail.queue import SqlMails

log = get_logger(__name__)
LOOK_SECONDS = 1.0


class MailSender(Protocol):
    """A server or folder that accepts mails."""

    def send(self, mail: Mail) -> None:
        """Hand a mail over. Raises MailRefused."""


@dataclass(frozen=True)
class MailDependencies:
    """The collaborators of the delivery."""

    engine: Engine
    clock: Clock
    sender: MailSender


def send_next(app: MailDependencies) -> bool:
    """Try to send the mail that is due longest; tell whether there was one."""
    now = app.clock.now()
    with app.engine.begin() as connection:
        mails = SqlMails(connection)
        mail = mails.lock_due(now)
        if mail is None:
            return False
        is_worth_it = mail.begin_attempt(now)
        mails.save(mail)
    if is_worth_it:
        _attempt(mail, app)
    else:
        log.warning("mail_given_up", mail_id=str(mail.mail_id), trouble=mail.trouble)
    return True


def _attempt(mail: Mail, app: MailDependencies) -> None:
    try:
        app.sender.send(mail)
    except MailRefused as err:
        mail.failed(app.clock.now(), str(err), for_good=err.for_good)
        log.warning("mail_refused", mail_id=str(mail.mail_id), attempts=mail.attempts, reason=str(err))
    except Exception as err:  # one mail that can't be written must not keep the others
        mail.failed(app.clock.now(), f"{type(err).__name__}: {err}", for_good=False)
        log.exception("mail_failed", mail_id=str(mail.mail_id), attempts=mail.attempts)
    else:
        mail.sent(app.clock.now())
    with app.engine.begin() as connection:
        SqlMails(connection).save(mail)
