"""How many wrong passwords one user name may collect before sign-in closes for a while.

The count is per name, whether or not the name exists, so it tells nothing about who has an account. The price
is that a stranger can close someone's sign-in for a quarter of an hour; running sessions and API tokens go on.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

MOST_FAILURES = 10
WINDOW = timedelta(minutes=15)


@dataclass(frozen=True)
class Failures:
    """Failed sign-ins under one name since `since`."""

    since: datetime
    count: int

    def closed_for(self, now: datetime) -> timedelta:
        """Return how long sign-in stays closed: zero while it is open."""
        left = self.since + WINDOW - now
        return max(left, timedelta(0)) if self.count >= MOST_FAILURES else timedelta(0)


def counted(failures: Failures | None, now: datetime) -> Failures:
    """Return the count after one more failure; a finished window starts again at one."""
    if failures is None or now - failures.since >= WINDOW:
        return Failures(now, 1)
    return Failures(failures.since, failures.count + 1)
