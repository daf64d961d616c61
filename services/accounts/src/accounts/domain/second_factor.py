"""The second factor of sign-in: codes of an authenticator app (RFC 6238), and recovery codes for a lost app.

Each code counts once. A code of the app belongs to a step of 30 seconds, so a used step closes all steps up to it.
"""

import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime

from accounts.domain.errors import WrongCode

RECOVERY_CODES = 10


@dataclass(frozen=True)
class SecondFactor:
    """The app's secret; `confirmed_at` is None until the first code. Recovery codes are kept as digests."""

    secret: str
    confirmed_at: datetime | None = None
    last_step: int = 0
    recovery_digests: frozenset[bytes] = frozenset()

    def after(self, step: int | None, digest: bytes) -> "SecondFactor":
        """Return the factor after a code: of the app's `step`, or else the recovery code with `digest`.

        Raises WrongCode, also for a code that was used before.
        """
        if step is not None and step > self.last_step:
            return replace(self, last_step=step)
        if digest in self.recovery_digests:
            return replace(self, recovery_digests=self.recovery_digests - {digest})
        raise WrongCode


def normalised(code: str) -> str:
    """Return a code as it is compared: without spaces and dashes, in capitals, with the digits 0 to 9."""
    return "".join(str(unicodedata.decimal(each, each)) for each in code if each.isalnum()).upper()
