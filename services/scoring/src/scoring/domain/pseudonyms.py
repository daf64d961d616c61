"""People's ids hashed under a key, so that one person is one pseudonym within a dataset and nobody across two."""

import hashlib
import hmac
import secrets
from uuid import UUID

KEY_BYTES = 32
DIGITS = 20


def new_key() -> bytes:
    """Return a random key; a dataset's is kept in the database and never leaves it."""
    return secrets.token_bytes(KEY_BYTES)


class Pseudonyms:
    """The pseudonyms of one key."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._known: dict[UUID, str] = {}

    def of(self, person_id: UUID) -> str:
        """Return the person's pseudonym."""
        if person_id not in self._known:
            digest = hmac.new(self._key, person_id.bytes, hashlib.sha256).hexdigest()
            self._known[person_id] = f"p{digest[:DIGITS]}"
        return self._known[person_id]
