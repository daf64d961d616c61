"""Limits on attempts, after which a temporary lock follows.

Wrong passwords are counted by name and address together, whether or not the name exists. So the count does not reveal
who has an account, and a person elsewhere cannot lock anybody's sign-in. A second count, by address alone, limits
attempts on many names. A third limits how often one address signs up. Schools, offices and mobile networks share an
address. So people who recently signed in from it are not counted under it, nor locked out by others who are. An
operator can raise its limits for a day (`accounts raise-limits`). An attempt is counted before its password is hashed,
since hashing is slow by design. The count is taken back if the password was right.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.domain.link import LIFETIME, MOST_WITHIN_LIFE

MOST_FAILURES = 10
MOST_FAILURES_OF_ADDRESS = 100
WINDOW = timedelta(minutes=15)
SIGN_UP_WINDOW = timedelta(hours=1)


@dataclass(frozen=True)
class Limit:
    """The most tries within a window."""

    most: int
    window: timedelta


OF_NAME = Limit(MOST_FAILURES, WINDOW)
OF_ADDRESS = Limit(MOST_FAILURES_OF_ADDRESS, WINDOW)
OF_OWN_PASSWORD = Limit(MOST_FAILURES, WINDOW)
OF_CODES = Limit(MOST_FAILURES, SIGN_UP_WINDOW)
OF_MAILS = Limit(MOST_WITHIN_LIFE, LIFETIME)
"""Limit of mails of one kind to one mail address, over all senders and accounts."""
RAISED_FOR = timedelta(days=1)
KNOWN_FOR = timedelta(days=30)


@dataclass(frozen=True)
class Failures:
    """Tries of one kind since `since`."""

    since: datetime
    count: int

    def closed_for(self, now: datetime, limit: Limit = OF_NAME) -> timedelta:
        """Return how long there may be no further try: zero while there may."""
        left = self.since + limit.window - now
        return max(left, timedelta(0)) if self.count >= limit.most else timedelta(0)

    def taken_back(self) -> "Failures":
        """Return the count without one try that was no failure."""
        return Failures(self.since, max(self.count - 1, 0))


def counted(failures: Failures | None, now: datetime, limit: Limit = OF_NAME) -> Failures:
    """Return the count after one more try; a finished window starts again at one."""
    if failures is None or now - failures.since >= limit.window:
        return Failures(now, 1)
    return Failures(failures.since, failures.count + 1)


def name_at(user_name: str, address: str) -> str:
    """Return what wrong passwords for a name from an address are counted under."""
    return f"{user_name} from {address}"


def known_at(user_name: str, address: str) -> str:
    """Return what is noted of a name that signed in from an address."""
    return f"{user_name} signed in from {address}"
