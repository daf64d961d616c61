"""API tokens: long-lived credentials of programs, each with a name, revocable one by one."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from accounts.domain.errors import FieldRefused

LONGEST_NAME = 80
MOST_PER_PERSON = 50
LAST_USE_PRECISION = timedelta(minutes=1)


@dataclass
class ApiToken:
    """Aggregate. `last_used_at` is kept to the minute, so that a busy program does not write on every call."""

    token_id: UUID
    person_id: UUID
    name: str
    digest: bytes
    created_at: datetime
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None

    @property
    def is_live(self) -> bool:
        """Return whether the token still opens anything."""
        return self.revoked_at is None

    def note_use(self, now: datetime) -> bool:
        """Remember the use; tell whether that changed anything."""
        if self.last_used_at is not None and now - self.last_used_at < LAST_USE_PRECISION:
            return False
        self.last_used_at = now
        return True

    def revoke(self, now: datetime) -> None:
        """End the token for good; a second time changes nothing."""
        self.revoked_at = self.revoked_at or now


def token_name(given: str) -> str:
    """Return the name of a token, trimmed. Raises FieldRefused for an empty or overlong one."""
    name = given.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise FieldRefused(
            "name", f"must be 1 to {LONGEST_NAME} printable characters", "Name the program that will use it."
        )
    return name
