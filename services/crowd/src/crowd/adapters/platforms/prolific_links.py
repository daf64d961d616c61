"""Prolific's signature of an entry: a JSON Web Token in the parameter `prolific_token`.

Prolific adds it to the address of a study that was created with `is_external_study_url_secure`. It proves that Prolific
itself sent the person with these ids. Only some workspaces have this feature.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from crowd.domain.platforms import EntryRefused

PARAMETER = "prolific_token"
ISSUER = "https://www.prolific.com"
KEYS_PATH = "/.well-known/study/jwks.json"
KEYS_SECONDS, NEW_KEYS_SECONDS = 3600, 60
READING_SECONDS = 3600
"""The token itself lasts two minutes, and a person reads the consent before accepting. The submission, which is asked
for as well, must still be open."""
FORGED = "Prolific did not sign it. Open the study on Prolific again"


class SignedLinks:
    """Checks tokens with Prolific's public keys, which are fetched once an hour, or for an unknown key."""

    def __init__(self, fetch_keys: Callable[[], Any]) -> None:
        self._fetch_keys = fetch_keys
        self._keys: KeySet | None = None
        self._fetched_at = float("-inf")

    def check(self, token: str, ids: Mapping[str, str]) -> bool:
        """Return whether the token still holds. Raises EntryRefused unless Prolific signed these ids."""
        claims = self._claims(token)
        signed = claims.get("prolific")
        if claims.get("iss") != ISSUER or not isinstance(signed, dict):
            raise EntryRefused(FORGED)
        if any(signed.get(name) != value for name, value in ids.items()):
            raise EntryRefused("it was changed. Open the study on Prolific again")
        expires = claims.get("exp")
        return isinstance(expires, int | float) and expires + READING_SECONDS >= time.time()

    def _claims(self, token: str) -> Mapping[str, Any]:
        for longest in (KEYS_SECONDS, NEW_KEYS_SECONDS):
            try:
                return jwt.decode(token, self._known_keys(longest), algorithms=["RS256"]).claims
            except (JoseError, TypeError, ValueError):
                continue
        raise EntryRefused(FORGED)

    def _known_keys(self, longest_seconds: float) -> KeySet:
        now = time.monotonic()
        if self._keys is None or now - self._fetched_at > longest_seconds:
            self._keys = KeySet.import_key_set(self._fetch_keys())
            self._fetched_at = now
        return self._keys
