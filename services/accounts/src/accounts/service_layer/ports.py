"""Ports of the worker: the interfaces to other systems."""

from typing import Protocol

from accounts.domain.mail import Mail


class MailSender(Protocol):
    """A server or folder that accepts mails."""

    def send(self, mail: Mail) -> None:
        """Hand a mail over. Raises MailRefused."""
