"""A target that an open round lost because it had stopped answering."""

from dataclasses import dataclass
from datetime import datetime

REASON = "{target} had not answered since {since:%Y-%m-%d %H:%M} UTC."


@dataclass(frozen=True)
class LostTarget:
    """The loss of a target: the round went on without it, or was `paused` since it cannot do without.

    `reason` is why it did not answer, as far as the registry knows; it may be empty.
    """

    target: str
    paused: bool
    failing_since: datetime
    reason: str
    lost_at: datetime

    @property
    def words(self) -> str:
        """Return why targets, or the round's state, changed."""
        said = REASON.format(target=self.target, since=self.failing_since)
        return f"{said} The registry says: {self.reason}" if self.reason else said
