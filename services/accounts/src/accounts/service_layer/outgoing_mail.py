"""Delivery of waiting mails, with retries.

One transaction claims a mail, and another records the result, so no lock is open while a server responds. A process
that ends in between leaves a mail that is sent again, never one that is lost.
"""

from dynabench_common.telemetry.logging import get_logger

from accounts.adapters.mails import SqlMails
from accounts.domain.errors import MailRefused
from accounts.domain.mail import Mail
from accounts.service_layer.dependencies import WorkerDependencies

log = get_logger(__name__)
LOOK_SECONDS = 1.0


def send_next(app: WorkerDependencies) -> bool:
    """Try to send the mail that is due longest; tell whether there was one."""
    now = app.clock.now()
    with app.engine.begin() as connection:
        mails = SqlMails(connection)
        mail = mails.lock_due(now)
        if mail is None:
            return False
        is_worth_it = mail.take_in_hand(now)
        mails.save(mail)
    if is_worth_it:
        _attempt(mail, app)
    else:
        log.warning("mail_given_up", mail_id=str(mail.mail_id), trouble=mail.trouble)
    return True


def _attempt(mail: Mail, app: WorkerDependencies) -> None:
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
