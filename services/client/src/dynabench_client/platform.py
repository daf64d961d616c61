"""The platform as a client sees it: one object with an attribute per service."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Self

import urllib3

from dynabench_client.areas.accounts import AccountsClient
from dynabench_client.areas.annotation import AnnotationClient
from dynabench_client.areas.crowd import CrowdClient
from dynabench_client.areas.datasets import DatasetsClient
from dynabench_client.areas.dead_letters import DeadLettersClient
from dynabench_client.areas.evaluations import EvaluationsClient
from dynabench_client.areas.gateway import GatewayClient
from dynabench_client.areas.leaderboard import LeaderboardClient
from dynabench_client.areas.public_examples import PublicExamplesClient
from dynabench_client.areas.submissions import SubmissionsClient
from dynabench_client.areas.validation import ValidationClient
from dynabench_client.connection import Addresses, Connection
from dynabench_client.credentials import (
    Credential,
    FixedCredential,
    Grant,
    PasswordGrants,
    RenewingCredential,
    SessionGrant,
)
from dynabench_client.results.accounts import SignedIn
from dynabench_client.retries import RetryPolicy
from dynabench_client.transport import Transport


class Dynabench:
    """A client of one platform, for one person or without credentials.

    `url` is the platform's origin; `urls` gives services that are reached directly, by name. At most one of the
    credentials may be given: `token` (an API token, exchanged for access tokens that the client renews),
    `access_token` (used unchanged), or `user_name` with `password`. Nothing is sent before the first call.
    Instances may be used from many threads or greenlets at once.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        urls: Mapping[str, str] | None = None,
        token: str | None = None,
        access_token: str | None = None,
        user_name: str | None = None,
        password: str | None = None,
        request_id: str | None = None,
        retries: RetryPolicy | None = None,
        pool: urllib3.PoolManager | None = None,
        transport: Transport | None = None,
    ) -> None:
        if not url and not urls:
            raise ValueError("give the platform's url, or the urls of its services")
        if (user_name is None) != (password is None):
            raise ValueError("user_name and password go together")
        if sum(value is not None for value in (token, access_token, user_name)) > 1:
            raise ValueError("give one of token, access_token, or user_name with password")
        nobody = Connection(
            transport or Transport(pool, retries),
            Addresses(url or "", dict(urls or {})),
            request_id=request_id,
        )
        self._use(replace(nobody, credential=_credential(nobody, token, access_token, user_name, password)))

    def acting_as(self, access_token: str | None = None, request_id: str | None = None) -> Self:
        """Return the same platform for another caller: cheap, with the same connections.

        This is for servers that act for the person of each request.
        """
        other = self.__class__.__new__(self.__class__)
        other._use(replace(self._connection, credential=FixedCredential(access_token), request_id=request_id))
        return other

    @property
    def url(self) -> str:
        """The platform's origin; empty where services are reached directly."""
        return self._connection.addresses.origin

    @property
    def connection(self) -> Connection:
        """The way to every service, for requests that no area has a method for."""
        return self._connection

    @property
    def event_services(self) -> tuple[DeadLettersClient, ...]:
        """The services that send and take in events, one client each; events that failed are kept there."""
        return (
            self.accounts,
            self.annotation,
            self.validation,
            self.leaderboard,
            self.datasets,
            self.registry,
            self.crowd,
        )

    def _use(self, connection: Connection) -> None:
        self._connection = connection
        self.accounts = AccountsClient(connection)
        self.annotation = AnnotationClient(connection)
        self.validation = ValidationClient(connection)
        self.leaderboard = LeaderboardClient(connection)
        self.datasets = DatasetsClient(connection)
        self.public_examples = PublicExamplesClient(connection)
        self.evaluations = EvaluationsClient(connection)
        self.gateway = GatewayClient(connection)
        self.registry = SubmissionsClient(connection)
        self.crowd = CrowdClient(connection)


def _credential(
    nobody: Connection,
    token: str | None,
    access_token: str | None,
    user_name: str | None,
    password: str | None,
) -> Credential:
    accounts = AccountsClient(nobody)
    if token is not None:

        def exchange() -> Grant:
            access = accounts.exchange(token)
            return Grant(access.access_token, access.expires_in)

        return RenewingCredential(exchange)
    if user_name is not None and password is not None:
        grants = PasswordGrants(
            lambda: _session_grant(accounts.sign_in(user_name, password)),
            lambda refresh_token: _session_grant(accounts.refresh(refresh_token)),
        )
        return RenewingCredential(grants)
    return FixedCredential(access_token)


def _session_grant(signed_in: SignedIn) -> SessionGrant:
    return SessionGrant(signed_in.access_token, signed_in.expires_in, signed_in.refresh_token)
