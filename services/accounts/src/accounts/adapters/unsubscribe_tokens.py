"""Tokens in mails that end such mails without signing in. They work as long as the signing key stays."""

import base64
import binascii
import hashlib
import hmac
from uuid import UUID

from joserfc.jwk import OKPKey

PURPOSE = b"dynabench unsubscribe v1"
ID_BYTES = 16


class KeyedUnsubscribeTokens:
    """A person's id and a keyed hash of it: nobody can make one for another person, and nothing need be stored."""

    def __init__(self, key: OKPKey) -> None:
        private = str(key.as_dict(private=True)["d"]).encode()
        self._secret = hmac.digest(private, PURPOSE, hashlib.sha256)

    def issue(self, person_id: UUID) -> str:
        """Return the token of a person."""
        return (
            base64.urlsafe_b64encode(person_id.bytes + self._signature(person_id.bytes)).decode().rstrip("=")
        )

    def person_of(self, token: str) -> UUID | None:
        """Return whose token it is; None for one that was not issued here."""
        try:
            content = base64.urlsafe_b64decode(token.encode("ascii") + b"=" * (-len(token) % 4))
        except (ValueError, binascii.Error):
            return None
        person_id, signature = content[:ID_BYTES], content[ID_BYTES:]
        if len(person_id) != ID_BYTES or not hmac.compare_digest(signature, self._signature(person_id)):
            return None
        return UUID(bytes=person_id)

    def _signature(self, person_id: bytes) -> bytes:
        return hmac.digest(self._secret, person_id, hashlib.sha256)
