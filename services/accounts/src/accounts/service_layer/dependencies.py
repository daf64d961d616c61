"""Collaborators of the handlers, chosen once in `bootstrap`; tests choose others."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from dynabench_common.auth.authentication import Verifier
from dynabench_common.clock import Clock
from sqlalchemy import Engine, text

from accounts.adapters.access_tokens import JwtAccessTokens, KeyedRefreshSecrets
from accounts.adapters.passwords import Argon2Passwords
from accounts.adapters.unit_of_work import AccountsUnitOfWork
from accounts.adapters.unsubscribe_tokens import KeyedUnsubscribeTokens
from accounts.domain.throttle import Limit
from accounts.service_layer.digest_letter import DigestLetters
from accounts.service_layer.letters import Letters
from accounts.service_layer.ports import MailSender


@dataclass(frozen=True)
class Dependencies:
    """The collaborators of handlers that run in any process, also in a command of an operator."""

    engine: Engine
    passwords: Argon2Passwords
    clock: Clock

    def unit_of_work(self) -> AccountsUnitOfWork:
        """Return a new transaction, to be entered once."""
        return AccountsUnitOfWork(self.engine)


@dataclass(frozen=True)
class HttpDependencies(Dependencies):
    """Additional dependencies of a process that serves HTTP."""

    access_tokens: JwtAccessTokens
    refresh_secrets: KeyedRefreshSecrets
    unsubscribe_tokens: KeyedUnsubscribeTokens
    letters: Letters
    verifier: Verifier
    jwks: dict[str, Any]
    secure_cookies: bool
    sign_up_limit: Limit

    def check_ready(self) -> None:
        """Raise when the database does not answer."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))


@dataclass(frozen=True)
class WorkerDependencies(Dependencies):
    """Additional dependencies of the worker.

    `digest_wait` is how long the first news waits for more, so that all of it comes in one mail.
    """

    unsubscribe_tokens: KeyedUnsubscribeTokens
    letters: DigestLetters
    sender: MailSender
    digest_wait: timedelta
