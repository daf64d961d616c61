"""Access tokens (EdDSA JWTs) and the texts of refresh tokens, both made with the signing keys."""

import base64
import hashlib
import hmac
import warnings
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from dynabench_common.auth.authentication import AUDIENCE, ISSUER, ROLES_VERSION, SECOND_FACTOR_MISSING
from dynabench_common.identifiers import new_id
from joserfc import jwt
from joserfc.errors import SecurityWarning
from joserfc.jwk import OKPKey

from accounts.adapters.signing_keys import private_part
from accounts.domain.opaque import new_secret
from accounts.domain.person import Person
from accounts.domain.roles import EVERYBODY, member_role

LIFETIME_SECONDS = 15 * 60
ALGORITHM = "EdDSA"
REFRESH_PURPOSE = b"dynabench refresh token successor v1"


class JwtAccessTokens:
    """Signs what other services check by themselves.

    With `requires_second_factor`, tokens of people without one name no role but that of everybody, and memberships.
    """

    lifetime_seconds = LIFETIME_SECONDS

    def __init__(self, key: OKPKey, *, requires_second_factor: bool = False) -> None:
        self._requires_second_factor = requires_second_factor
        self._key = key
        self._header = {"alg": ALGORITHM, "kid": key.thumbprint()}
        # RFC 9864 prefers the name "Ed25519"; many clients know only "EdDSA", and the key fixes the curve.
        warnings.filterwarnings("ignore", "EdDSA is deprecated", SecurityWarning)

    def issue(self, person: Person, session_id: UUID, now: datetime, seconds: int = LIFETIME_SECONDS) -> str:
        """Return a token that speaks for the person for so long, or until the session ends."""
        issued_at = int(now.timestamp())
        roles = person.roles
        lacks_factor = self._requires_second_factor and roles != EVERYBODY and not person.has_second_factor
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": str(person.person_id),
            "roles": sorted((EVERYBODY if lacks_factor else roles) | set(map(member_role, person.member_of))),
            ROLES_VERSION: person.roles_version,
            "cohort": person.cohort,
            "iat": issued_at,
            "exp": issued_at + seconds,
            "jti": str(new_id()),
            "sid": str(session_id),
            **({SECOND_FACTOR_MISSING: True} if lacks_factor else {}),
        }
        return jwt.encode(self._header, claims, self._key, algorithms=[ALGORITHM])


class KeyedRefreshSecrets:
    """A successor follows from its predecessor by a keyed hash.

    So the same successor can be returned again within the grace period, although only digests are stored. The
    holder of an old token still can't compute the new one.
    """

    def __init__(self, keys: Sequence[OKPKey]) -> None:
        self._secrets = [hmac.digest(private_part(key), REFRESH_PURPOSE, hashlib.sha256) for key in keys]

    def first(self) -> str:
        """Return a random token."""
        return new_secret()

    def successors(self, token: str) -> list[str]:
        """Return the token that follows under each key; the first is the one to issue."""
        content = token.encode("utf-8", "surrogatepass")
        keyed = (hmac.digest(secret, content, hashlib.sha256) for secret in self._secrets)
        return [base64.urlsafe_b64encode(each).decode().rstrip("=") for each in keyed]
