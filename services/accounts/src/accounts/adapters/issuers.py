"""Issuers of sign-ins by OpenID Connect: authorization code with PKCE, by Authlib.

Metadata and keys are read at each sign-in, so a changed key is known at once. State, nonce and PKCE verifier are
derived from a secret that only the person's browser keeps, so nothing is stored here.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from authlib.oidc.discovery import get_well_known_url
from dynabench_common.pools import trusted_authorities
from dynabench_common.settings import SettingsError
from joserfc import jwt
from joserfc.errors import ClaimError, JoseError
from joserfc.jwk import KeySet
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator
from requests import RequestException
from requests.adapters import HTTPAdapter

from accounts.domain import roles
from accounts.domain.errors import FieldRefused, IssuerAnswerRefused, IssuerUnreachable
from accounts.domain.names import email as mail_address
from accounts.domain.person import IssuedPerson

SETTING = "SIGN_IN_ISSUERS"
REMEDY = "services/accounts/README.md describes every field."
TIMEOUT_SECONDS = 5
LEEWAY_SECONDS = 60
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "ES512", "EdDSA"]
LOOPBACK = ("127.0.0.1", "localhost")
LONGEST_SUBJECT = 255


class IssuerConfiguration(BaseModel):
    """One issuer, as the operator describes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern="^[a-z0-9][a-z0-9-]{0,39}$")
    title: str = Field(min_length=1, max_length=100)
    issuer: str
    client_id: str = Field(min_length=1)
    client_secret: str = ""
    scope: str = "openid profile email"
    groups_claim: str = "groups"
    roles: dict[str, str] = Field(default={}, description="Role by group")

    @field_validator("issuer")
    @classmethod
    def _is_secure(cls, address: str) -> str:
        parts = urlsplit(address)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
            raise ValueError("must begin with https://")
        return address

    @field_validator("roles")
    @classmethod
    def _are_roles(cls, mapping: dict[str, str]) -> dict[str, str]:
        try:
            roles.role_set(mapping.values())
        except FieldRefused as refused:
            raise ValueError(refused.reason) from refused
        return mapping


@dataclass(frozen=True)
class IssuerAnswer:
    """The answer of an issuer, by way of the browser, and the secret that the browser stored."""

    secret: str
    state: str
    code: str
    iss: str
    error: str


class _Trusting(HTTPAdapter):
    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        super().init_poolmanager(*args, ssl_context=trusted_authorities(), **options)


class Issuer:
    """An issuer that people can sign in with."""

    def __init__(self, configuration: IssuerConfiguration, public_url: str) -> None:
        self.name = configuration.name
        self.title = configuration.title
        self.address = configuration.issuer
        self._configuration = configuration
        self._return_to = f"{public_url.rstrip('/')}/sign-in/with/{configuration.name}/done"

    def authorization_url(self, secret: str) -> str:
        """Return the address at the issuer that begins a sign-in. Raises IssuerUnreachable."""
        with self._session() as session:
            endpoint = self._metadata(session)["authorization_endpoint"]
            url, _ = session.create_authorization_url(
                endpoint,
                state=self._derived(secret, "state"),
                nonce=self._derived(secret, "nonce"),
                code_verifier=self._derived(secret, "verifier"),
            )
        return str(url)

    def person_of(self, answer: IssuerAnswer, now: datetime) -> IssuedPerson:
        """Return the person who signed in. Raises IssuerUnreachable, IssuerAnswerRefused."""
        if not hmac.compare_digest(self._derived(answer.secret, "state").encode(), answer.state.encode()):
            raise self._refused("this browser did not begin it")
        if answer.iss and answer.iss != self.address:
            raise self._refused("it names another issuer")
        if answer.error or not answer.code:
            raise self._refused("you did not agree, or the issuer does not let you sign in here")
        with self._session() as session:
            metadata = self._metadata(session)
            try:
                token = session.fetch_token(
                    metadata["token_endpoint"],
                    code=answer.code,
                    code_verifier=self._derived(answer.secret, "verifier"),
                    grant_type="authorization_code",
                    allow_redirects=False,
                )
            except OAuthError as error:
                raise self._refused("the issuer does not know its code, or the client") from error
            except (RequestException, ValueError) as error:
                raise IssuerUnreachable(self.title) from error
            claims = self._claims(token, self._read(session, metadata["jwks_uri"]), answer.secret, now)
            return self._person({**self._more_claims(session, metadata, claims), **claims})

    def _claims(
        self, token: Mapping[str, Any], keys: Mapping[str, Any], secret: str, now: datetime
    ) -> Mapping[str, Any]:
        """Return the checked claims of an ID token (OpenID Connect Core 3.1.3.7)."""
        try:
            signed = jwt.decode(
                str(token.get("id_token", "")),
                KeySet.import_key_set(keys),  # type: ignore[arg-type]
                algorithms=ALGORITHMS,
            )
        except (JoseError, ValueError, KeyError, TypeError) as error:
            raise self._refused("it is not signed with a key of the issuer") from error
        claims = CodeIDToken(
            signed.claims,
            signed.header,
            options={
                "iss": {"essential": True, "value": self.address},
                "aud": {"essential": True, "value": self._configuration.client_id},
            },
            params={
                "nonce": self._derived(secret, "nonce"),
                "client_id": self._configuration.client_id,
                "access_token": token.get("access_token"),
            },
        )
        try:
            claims.validate(now=int(now.timestamp()), leeway=LEEWAY_SECONDS)
        except ClaimError as error:
            raise self._refused(REASONS.get(error.claim, f"its claim {error.claim} is wrong")) from error
        except JoseError as error:
            raise self._refused(EXPIRED) from error
        return dict(claims)

    def _more_claims(
        self, session: OAuth2Session, metadata: Mapping[str, Any], claims: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return the claims of the userinfo endpoint: many issuers name mail address and groups only there."""
        endpoint = metadata.get("userinfo_endpoint")
        if not isinstance(endpoint, str):
            return {}
        found = self._read(session, endpoint, withhold_token=False)
        if found.get("sub") != claims["sub"]:
            raise self._refused("it names another person than the issuer's userinfo")
        return found

    def _person(self, claims: Mapping[str, Any]) -> IssuedPerson:
        subject = claims["sub"]
        if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT or "\x00" in subject:
            raise self._refused(REASONS["sub"])
        try:
            email = mail_address(str(claims.get("email")))
        except FieldRefused as refused:
            raise self._refused("it names no mail address") from refused
        groups = claims.get(self._configuration.groups_claim)
        held = {each for each in groups if isinstance(each, str)} if isinstance(groups, list) else set()
        return IssuedPerson(
            issuer=self.address,
            subject=subject,
            user_name=str(claims.get("preferred_username") or email.partition("@")[0]),
            email=email,
            is_email_verified=claims.get("email_verified") is True,
            roles=frozenset(role for group, role in self._configuration.roles.items() if group in held),
        )

    def _metadata(self, session: OAuth2Session) -> Mapping[str, Any]:
        found = self._read(session, get_well_known_url(self.address, external=True))
        wanted = ("authorization_endpoint", "token_endpoint", "jwks_uri")
        if found.get("issuer") != self.address or not all(
            isinstance(found.get(each), str) for each in wanted
        ):
            raise self._refused("its metadata are those of another issuer, or incomplete")
        return found

    def _read(self, session: OAuth2Session, url: str, *, withhold_token: bool = True) -> Mapping[str, Any]:
        try:
            response = session.get(url, withhold_token=withhold_token, allow_redirects=False)
            response.raise_for_status()
            found = json.loads(response.content)
        except (RequestException, ValueError) as error:
            raise IssuerUnreachable(self.title) from error
        if not isinstance(found, dict):
            raise IssuerUnreachable(self.title)
        return {str(name): value for name, value in found.items()}

    def _session(self) -> OAuth2Session:
        configuration = self._configuration
        session = OAuth2Session(
            configuration.client_id,
            configuration.client_secret or None,
            token_endpoint_auth_method="client_secret_basic" if configuration.client_secret else "none",
            scope=configuration.scope,
            redirect_uri=self._return_to,
            code_challenge_method="S256",
            default_timeout=TIMEOUT_SECONDS,
        )
        session.mount("https://", _Trusting())
        return session

    def _derived(self, secret: str, purpose: str) -> str:
        text = f"{purpose} {self.name} {secret}".encode()
        return base64.urlsafe_b64encode(hashlib.sha256(text).digest()).decode().rstrip("=")

    def _refused(self, reason: str) -> IssuerAnswerRefused:
        return IssuerAnswerRefused(self.title, reason)


EXPIRED = "it has expired, or a clock is wrong"
REASONS = {
    "iss": "it names another issuer",
    "aud": "it was made for another platform",
    "azp": "it was made for another platform",
    "nonce": "it answers another sign-in",
    "at_hash": "its access token was exchanged",
    "exp": EXPIRED,
    "iat": EXPIRED,
    "nbf": EXPIRED,
    "sub": "it names no person",
}
"""Why an ID token is refused, by its first wrong claim."""
CONFIGURATIONS: TypeAdapter[list[IssuerConfiguration]] = TypeAdapter(list[IssuerConfiguration])


def build_issuers(setting: str, public_url: str) -> Mapping[str, Issuer]:
    """Return the issuers by name; `setting` is a JSON list, the path of a file with one, or empty.

    Raises SettingsError.
    """
    given = setting.strip()
    try:
        text = given if given.startswith("[") or not given else Path(given).read_text()
        listed = CONFIGURATIONS.validate_json(text or "[]")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{SETTING}: the file {given} can't be read: {error}. {REMEDY}") from error
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors(include_input=False)
        )
        raise SettingsError(f"{SETTING}: {problems}. {REMEDY}") from error
    for field in ("name", "issuer"):
        values = [getattr(each, field) for each in listed]
        if len(set(values)) < len(values):
            raise SettingsError(f"{SETTING}: a {field} is given twice. {REMEDY}")
    return {each.name: Issuer(each, public_url) for each in listed}
