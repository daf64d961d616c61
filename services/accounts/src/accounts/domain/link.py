"""Links sent by mail: each works once and for a limited time; only a digest of its secret is stored.

The first step of a sign-in with a second factor, and the start of a link to an issuer, are kept like links. A first
step lasts its time: each code counts once.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

LIFETIME = timedelta(hours=1)
STEP_LIFETIME = timedelta(minutes=10)
MOST_WITHIN_LIFE = 5
"""Limit of links of a kind to one person within the lifetime of a link; more would only fill the mailbox."""


class LinkKind(StrEnum):
    """The purpose of a link."""

    NEW_PASSWORD = "new_password"  # noqa: S105 - the name of a kind
    NEW_EMAIL = "new_email"
    SIGN_IN_STEP = "sign_in_step"
    ISSUER_LINK = "issuer_link"


@dataclass
class Link:
    """Aggregate. `email` is where the link was sent; of a new mail address, the address itself; else empty."""

    digest: bytes
    kind: LinkKind
    person_id: UUID
    email: str
    issued_at: datetime
    expires_at: datetime
    ended_at: datetime | None = None

    def is_live(self, now: datetime) -> bool:
        """Return whether the link still works."""
        return self.ended_at is None and now < self.expires_at


def issue(kind: LinkKind, digest: bytes, person_id: UUID, email: str, now: datetime) -> Link:
    """Return a new link."""
    lifetime = STEP_LIFETIME if kind in (LinkKind.SIGN_IN_STEP, LinkKind.ISSUER_LINK) else LIFETIME
    return Link(digest, kind, person_id, email, now, now + lifetime)
