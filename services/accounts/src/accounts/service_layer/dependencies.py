"""Collaborators of the handlers of identity, chosen once in `bootstrap`; tests choose others."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dynabench_common.auth.authentication import Verifier
from dynabench_common.clock import Clock
from sqlalchemy import Engine, text

from accounts.adapters.access_tokens import JwtAccessTokens, KeyedRefreshSecrets
from accounts.adapters.issuers import Issuer
from accounts.adapters.passwords import Argon2Passwords
from accounts.adapters.unit_of_work import AccountsUnitOfWork
from accounts.domain.throttle import Limit
from accounts.service_layer.letters import Letters


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
    """Additional dependencies of a process that serves HTTP; `has_task` tells if a task has an address."""

    access_tokens: JwtAccessTokens
    refresh_secrets: KeyedRefreshSecrets
    letters: Letters
    verifier: Verifier
    jwks: dict[str, Any]
    secure_cookies: bool
    sign_up_limit: Limit
    issuers: Mapping[str, Issuer]
    has_task: Callable[[str], bool]

    def check_ready(self) -> None:
        """Raise when the database does not answer."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))
