"""Mail senders: an SMTP server, or, for trying things out, a folder with one file per mail."""

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from pathlib import Path

from accounts.mail.domain import Mail, MailRefused
from accounts.settings import AccountsSettings, Tls

TIMEOUT_SECONDS = 20
PERMANENT = 500
"""SMTP's replies from here on say that the same will be refused again (RFC 5321, 4.2.1)."""


class SmtpSender:
    """Sends by SMTP, over TLS unless the settings say otherwise."""

    def __init__(self, settings: AccountsSettings) -> None:
        self._settings = settings

    def send(self, mail: Mail) -> None:
        """Hand a mail to the server. Raises MailRefused."""
        message = as_message(mail, self._settings.mail_sender)
        try:
            with self._connected() as server:
                server.send_message(message, to_addrs=[mail.recipient])
        except smtplib.SMTPRecipientsRefused as err:
            codes = [code for code, _ in err.recipients.values()]
            raise MailRefused(
                f"the server refused the recipient: {codes}", for_good=min(codes) >= PERMANENT
            ) from err
        except (OSError, smtplib.SMTPException) as err:
            raise MailRefused(f"{type(err).__name__}: {err}") from err

    @contextmanager
    def _connected(self) -> Iterator[smtplib.SMTP]:
        settings = self._settings
        host, port = settings.smtp_host or "", settings.smtp_port
        context = ssl.create_default_context()
        server = (
            smtplib.SMTP_SSL(host, port, timeout=TIMEOUT_SECONDS, context=context)
            if settings.smtp_tls is Tls.IMPLICIT
            else smtplib.SMTP(host, port, timeout=TIMEOUT_SECONDS)
        )
        try:
            if settings.smtp_tls is Tls.STARTTLS:
                server.starttls(context=context)
            if settings.smtp_user:
                server.login(settings.smtp_user, settings.smtp_password)
            yield server
        finally:
            # A goodbye that fails does not undo what the server took: trying again would send it twice.
            with suppress(OSError, smtplib.SMTPException):
                server.quit()


class FolderSender:
    """Writes each mail as a file that mail programs open, readable by its user alone."""

    def __init__(self, folder: Path, sender: str) -> None:
        self._folder = folder
        self._sender = sender

    def send(self, mail: Mail) -> None:
        """Write the file whole or not at all. Raises MailRefused."""
        path = self._folder / f"{mail.written_at:%Y%m%d-%H%M%S}-{mail.mail_id}.eml"
        unfinished = path.with_suffix(".part")
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            unfinished.touch(mode=0o600)
            unfinished.write_bytes(as_message(mail, self._sender).as_bytes())
            unfinished.replace(path)
        except OSError as err:
            raise MailRefused(f"{type(err).__name__}: {err}") from err


class NobodyTakesMail:
    """The sender when no setting names one: mails wait."""

    def send(self, mail: Mail) -> None:  # noqa: ARG002 - it takes none
        """Refuse. Raises MailRefused."""
        raise MailRefused("neither SMTP_HOST nor MAIL_FOLDER is set")


def as_message(mail: Mail, sender: str) -> EmailMessage:
    """Return a mail as it is sent; its id is the same at each attempt, so that a second copy is recognised."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = mail.recipient
    message["Subject"] = mail.subject
    message["Date"] = format_datetime(mail.written_at)
    message["Message-ID"] = f"<{mail.mail_id}@{parseaddr(sender)[1].rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    if mail.unsubscribe is not None:
        message["List-Unsubscribe"] = f"<{mail.unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(mail.body or "")
    return message
