"""People, sessions and API tokens."""

from dynabench_client.areas.dead_letters import DeadLettersClient
from dynabench_client.areas.issuers import IssuersClient
from dynabench_client.areas.memberships import MembershipsClient
from dynabench_client.areas.notices import NoticesClient
from dynabench_client.areas.people import PeopleClient, forwarded
from dynabench_client.connection import given, segment
from dynabench_client.errors import UnexpectedAnswerError
from dynabench_client.results.accounts import (
    Access,
    ApiToken,
    AuditEntry,
    NewApiToken,
    Owner,
    Owners,
    Person,
    SignedIn,
)
from dynabench_client.results.base import Empty, Page
from dynabench_client.transport import Reply

COOKIE = "dynabench_refresh"


class AccountsClient(PeopleClient, IssuersClient, MembershipsClient, NoticesClient, DeadLettersClient):
    """Client of the accounts service."""

    service = "accounts"

    def sign_up(self, user_name: str, email: str, password: str, *, address: str | None = None) -> Person:
        """Register a volunteer. A refusal names the field.

        `address` is whose tries are counted, where a program acts for people elsewhere; also in `sign_in`.
        """
        body = {"user_name": user_name, "email": email, "password": password}
        headers = forwarded(address)
        reply = self._connection.send(
            self.service, "POST", "/people", body=body, headers=headers, signed=False
        )
        return self._result(reply, Person)

    def sign_in(
        self, user_name: str, password: str, *, address: str | None = None, device: str | None = None
    ) -> SignedIn:
        """Start a session; the caller keeps the refresh token.

        `device` names the browser in the list of sessions. If the account has a second factor, the problem
        `second-factor-needed` has the `challenge` for `finish_sign_in` in its document.
        """
        body = {"user_name": user_name, "password": password, **given(device=device)}
        headers = forwarded(address)
        return self._signed_in(
            self._connection.send(self.service, "POST", "/sessions", body=body, headers=headers, signed=False)
        )

    def finish_sign_in(self, challenge: str, code: str, *, device: str | None = None) -> SignedIn:
        """Start a session with a code of the second factor."""
        body = {"challenge": challenge, "code": code, **given(device=device)}
        return self._signed_in(
            self._connection.send(self.service, "POST", "/sessions/second-step", body=body, signed=False)
        )

    def sign_in_by_issuer(
        self,
        issuer: str,
        secret: str,
        state: str,
        *,
        code: str = "",
        iss: str = "",
        error: str = "",
        address: str | None = None,
        device: str = "",
    ) -> SignedIn:
        """Start a session with the answer of an issuer, as `IssuersClient` describes it."""
        answer = {"secret": secret, "state": state, "code": code, "iss": iss, "error": error}
        body = {"issuer": issuer, "device": device, **answer}
        return self._signed_in(
            self._connection.send(
                self.service,
                "POST",
                "/sessions/issuer",
                body=body,
                headers=forwarded(address),
                signed=False,
            )
        )

    def refresh(self, refresh_token: str) -> SignedIn:
        """Renew a session; the answer holds the next refresh token. Safe to repeat for 30 seconds."""
        return self._signed_in(
            self._connection.send(
                self.service,
                "POST",
                "/sessions/refresh",
                headers=_cookie(refresh_token),
                idempotent=True,
                signed=False,
            )
        )

    def sign_out(self, refresh_token: str) -> None:
        """End a session."""
        headers = _cookie(refresh_token)
        self._connection.send(self.service, "DELETE", "/sessions", headers=headers, signed=False)

    def exchange(self, api_token: str) -> Access:
        """Return an access token for an API token."""
        reply = self._connection.send(
            self.service,
            "POST",
            "/tokens/exchange",
            body={"api_token": api_token},
            idempotent=True,
            signed=False,
        )
        return self._result(reply, Access)

    def me(self) -> Person:
        """Return the signed-in person."""
        return self._get("/me", Person)

    def owners(self, task: str) -> tuple[Owner, ...]:
        """List the owners of a task, by name."""
        return self._get(f"/tasks/{segment(task)}/owners", Owners).items

    def create_token(self, name: str) -> NewApiToken:
        """Create an API token; its text is in this answer and nowhere else."""
        return self._post("/tokens", {"name": name}, NewApiToken)

    def tokens(self, *, limit: int | None = None, cursor: str | None = None) -> Page[ApiToken]:
        """List your API tokens, newest first."""
        return self._get("/tokens", Page[ApiToken], limit=limit, cursor=cursor)

    def revoke_token(self, token_id: str) -> None:
        """Revoke one of your API tokens."""
        self._delete(f"/tokens/{segment(token_id)}", Empty)

    def audit(
        self,
        *,
        task: str | None = None,
        round_id: str | None = None,
        object_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[AuditEntry]:
        """List the audit log, newest first. Owners name one of their tasks."""
        return self._get(
            "/audit",
            Page[AuditEntry],
            task=task,
            round_id=round_id,
            object_id=object_id,
            limit=limit,
            cursor=cursor,
        )

    def _signed_in(self, reply: Reply) -> SignedIn:
        for header in reply.headers.getlist("Set-Cookie"):
            name, _, rest = header.partition("=")
            if name.strip() == COOKIE:
                cookie = {"refresh_token": rest.partition(";")[0], "set_cookie": header}
                return SignedIn(**self._result(reply, Access).model_dump(), **cookie)
        raise UnexpectedAnswerError(self._address, "the refresh cookie is missing")


def _cookie(refresh_token: str) -> dict[str, str]:
    return {"Cookie": f"{COOKIE}={refresh_token}"}
