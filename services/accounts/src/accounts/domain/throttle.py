"""How many tries there may be before something closes for a while.

Wrong passwords are counted by name and address together, whether or not the name exists: so the count tells nothing
about who has an account, and a stranger elsewhere can't close anybody's sign-in. A second count, by address alone,
limits who tries many names, and a third how often one address signs up. Schools, offices and mobile networks share an
address: so who signed in from it lately is not counted under it, nor kept out by others who are, and an operator can
raise its limits for a day (`accounts raise-limits`). A try is counted before its password is
hashed, which is slow by intention, and taken back when it was right.
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
OF_SIGN_UPS = Limit(20, SIGN_UP_WINDOW)
OF_MAILS = Limit(MOST_WITHIN_LIFE, LIFETIME)
"""Of one kind to one mail address, whoever asks and for however many accounts."""
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
