"""Sign-in by issuers (OpenID Connect), and the issuers that you have linked."""

from dynabench_client.connection import Area, segment
from dynabench_client.results.accounts import Issuer, IssuerStart, WaysIn
from dynabench_client.results.base import Empty

ENGLISH = "en"


class IssuersClient(Area):
    """The part of the accounts service's client that is about issuers.

    `secret` is that of the start; `state`, `code`, `iss` and `error` are what the issuer sent back.
    """

    service = "accounts"

    def issuers(self) -> tuple[Issuer, ...]:
        """List the issuers that people can sign in with."""
        return self._list("/issuers", Issuer)

    def start_issuer_sign_in(self, issuer: str) -> IssuerStart:
        """Start a sign-in at an issuer; the browser keeps the secret."""
        reply = self._connection.send(
            self.service, "POST", "/issuer-sign-ins", body={"issuer": issuer}, signed=False
        )
        return self._result(reply, IssuerStart)

    def ways_in(self) -> WaysIn:
        """Return by which ways you can sign in."""
        return self._get("/me/ways-in", WaysIn)

    def start_issuer_link(self, issuer: str, current_password: str) -> IssuerStart:
        """Start to link an issuer to your account."""
        body = {"issuer": issuer, "current_password": current_password}
        return self._post("/me/issuer-links", body, IssuerStart)

    def link_issuer(
        self,
        issuer: str,
        secret: str,
        state: str,
        *,
        code: str = "",
        iss: str = "",
        error: str = "",
        language: str = ENGLISH,
    ) -> None:
        """Link an issuer to your account with its answer."""
        answer = {"secret": secret, "state": state, "code": code, "iss": iss, "error": error}
        self._post("/me/issuers", {"issuer": issuer, "language": language, **answer}, Empty)

    def unlink_issuer(self, issuer: str) -> None:
        """Remove an issuer from your account."""
        self._delete(f"/me/issuers/{segment(issuer)}", Empty)
