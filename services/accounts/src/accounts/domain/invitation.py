"""Invitations: links by which people become members of a task, with an end date and a number of uses.

Only a digest of the link's secret is stored.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from accounts.domain.errors import InvitationExpired, InvitationUsedUp, InvitationWithdrawn

MOST_DAYS = 365
MOST_USES = 500
MOST_PER_TASK = 100
"""Limit of the invitations that a task keeps."""


@dataclass
class Invitation:
    """An invitation; `most_uses` people can use it before it expires."""

    invitation_id: UUID
    task_slug: str
    digest: bytes
    made_at: datetime
    expires_at: datetime
    most_uses: int
    uses: int = 0
    withdrawn_at: datetime | None = None

    def check(self, now: datetime) -> None:
        """Raise InvitationWithdrawn, InvitationExpired or InvitationUsedUp if it brings in nobody more."""
        if self.withdrawn_at is not None:
            raise InvitationWithdrawn
        if now >= self.expires_at:
            raise InvitationExpired
        if self.uses >= self.most_uses:
            raise InvitationUsedUp

    def use(self, now: datetime) -> None:
        """Count a use. Raises like `check`."""
        self.check(now)
        self.uses += 1

    def withdraw(self, now: datetime) -> None:
        """End it."""
        self.withdrawn_at = self.withdrawn_at or now


def invite(
    invitation_id: UUID, task_slug: str, digest: bytes, *, days: int, uses: int, now: datetime
) -> Invitation:
    """Return a new invitation."""
    return Invitation(invitation_id, task_slug, digest, now, now + timedelta(days=days), uses)
