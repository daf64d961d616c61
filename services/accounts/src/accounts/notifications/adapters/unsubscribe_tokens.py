"""Tokens in mails to unsubscribe without signing in, valid as long as the key that signed them stays."""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Iterator, Sequence
from uuid import UUID

PURPOSE = b"dynabench unsubscribe v1"
ID_BYTES = 16


class KeyedUnsubscribeTokens:
    """A person's id with a keyed hash of it: it can't be forged for another person and needs no storage."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        """`keys` are the private parts of signing keys; the first one signs."""
        self._secrets = [hmac.digest(key, PURPOSE, hashlib.sha256) for key in keys]

    def issue(self, person_id: UUID) -> str:
        """Return the token of a person."""
        return (
            base64.urlsafe_b64encode(person_id.bytes + next(self._signatures(person_id.bytes)))
            .decode()
            .rstrip("=")
        )

    def person_of(self, token: str) -> UUID | None:
        """Return whose token it is; None for one that was not issued here."""
        try:
            content = base64.urlsafe_b64decode(token.encode("ascii") + b"=" * (-len(token) % 4))
        except (ValueError, binascii.Error):
            return None
        person_id, signature = content[:ID_BYTES], content[ID_BYTES:]
        if len(person_id) != ID_BYTES or not any(
            hmac.compare_digest(signature, own) for own in self._signatures(person_id)
        ):
            return None
        return UUID(bytes=person_id)

    def _signatures(self, person_id: bytes) -> Iterator[bytes]:
        return (hmac.digest(secret, person_id, hashlib.sha256) for secret in self._secrets)
