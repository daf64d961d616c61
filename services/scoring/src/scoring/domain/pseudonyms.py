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
        self._known: dict[str, str] = {}

    def of(self, person: str) -> str:
        """Return the pseudonym of the person with this id, a UUID as text."""
        if person not in self._known:
            digest = hmac.new(self._key, UUID(person).bytes, hashlib.sha256).hexdigest()
            self._known[person] = f"p{digest[:DIGITS]}"
        return self._known[person]
