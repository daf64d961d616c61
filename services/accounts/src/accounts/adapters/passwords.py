"""Password hashing with argon2id, and a limit on simultaneous hashes.

Each hash takes 19 MiB and some 30 ms of one core. Without the limit, a burst of sign-ins would starve every other
request.
"""

import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from accounts.domain.opaque import new_secret
from accounts.domain.passwords import normalised

MEMORY_KIBIBYTES, PASSES, LANES = 19 * 1024, 2, 1
MOST_AT_ONCE = 4


class Argon2Passwords:
    """Hashes and checks passwords; an unknown user costs the same time as a known one."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=PASSES, memory_cost=MEMORY_KIBIBYTES, parallelism=LANES)
        self._slots = threading.BoundedSemaphore(MOST_AT_ONCE)
        self._nobody = self._hasher.hash(new_secret())

    def hash(self, password: str) -> str:
        """Return a hash to store, with its salt and settings."""
        with self._slots:
            return self._hasher.hash(_bytes(password))

    def verify(self, stored: str | None, password: str) -> bool:
        """Return whether the password fits; None is checked against a hash that nothing fits."""
        with self._slots:
            try:
                return self._hasher.verify(stored or self._nobody, _bytes(password)) and stored is not None
            except (VerificationError, InvalidHashError):
                return False

    def is_outdated(self, stored: str) -> bool:
        """Return whether the hash was made with other settings than today's."""
        return self._hasher.check_needs_rehash(stored)


def _bytes(password: str) -> bytes:
    return normalised(password).encode("utf-8", "surrogatepass")
