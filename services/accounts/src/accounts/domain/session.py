"""A session: a family of refresh tokens of which one is current.

Each refresh replaces the token. If a replaced token comes back within a short grace period, it is a parallel request or
a lost answer, and gets the same successor. Later it is a stolen copy, and the session ends for both owner and thief.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from uuid import UUID

GRACE = timedelta(seconds=30)
LIFETIME = timedelta(days=30)


class Presentation(Enum):
    """The result of presenting a refresh token."""

    ROTATED = auto()
    REPEATED = auto()
    REUSED = auto()
    ENDED = auto()


@dataclass
class RefreshToken:
    """One member of the family; `replaced_at` is set when its successor is first issued."""

    digest: bytes
    session_id: UUID
    issued_at: datetime
    replaced_at: datetime | None = None


@dataclass
class Session:
    """Aggregate: from sign-in to sign-out, expiry or revocation."""

    session_id: UUID
    person_id: UUID
    started_at: datetime
    expires_at: datetime
    ended_at: datetime | None = None
    device: str = ""

    def present(self, token: RefreshToken, now: datetime) -> Presentation:
        """Decide on a member of this family that is presented for renewal, and change state accordingly."""
        if self.ended_at is not None or now >= self.expires_at:
            return Presentation.ENDED
        if token.replaced_at is None:
            token.replaced_at = now
            return Presentation.ROTATED
        if now - token.replaced_at <= GRACE:
            return Presentation.REPEATED
        self.end(now)
        return Presentation.REUSED

    def end(self, now: datetime) -> None:
        """Sign out: no token of the family works any more."""
        self.ended_at = self.ended_at or now


def start(
    session_id: UUID, person_id: UUID, now: datetime, lifetime: timedelta = LIFETIME, device: str = ""
) -> Session:
    """Return a new session of a person; `device` names the browser."""
    return Session(session_id, person_id, started_at=now, expires_at=now + lifetime, device=device)
