"""Rules for retries of calls.

Two kinds of failure differ. A *refusal* (429, or 503 with Retry-After) promises that nothing was stored, so any
call may be repeated. After a *loss* (no answer, 502, 504, a bare 503) the call may have taken effect. So it is
repeated only if its method or its Idempotency-Key makes it idempotent.
"""

import random
from dataclasses import dataclass

LOSSES = frozenset({502, 503, 504})


@dataclass(frozen=True)
class RetryPolicy:
    """The most attempts of a call, and the waits between them.

    `attempts` is for losses, `refused_attempts` for refusals with Retry-After. If that asks for more than
    `longest_wait_seconds`, the error goes to the caller.
    """

    attempts: int = 4
    refused_attempts: int = 4
    longest_wait_seconds: float = 10.0
    first_wait_seconds: float = 0.2

    def wait(self, attempt: int, asked_for: float | None = None) -> float | None:
        """Return the seconds to wait after failed attempt number `attempt` (1, 2, …), or None to give up."""
        if asked_for is not None:
            in_patience = attempt < self.refused_attempts and asked_for <= self.longest_wait_seconds
            return asked_for if in_patience else None
        if attempt >= self.attempts:
            return None
        backoff = self.first_wait_seconds * 2.0 ** (attempt - 1)
        spread = random.uniform(0.5, 1.0)  # noqa: S311
        return min(backoff, self.longest_wait_seconds) * spread


NO_RETRIES = RetryPolicy(attempts=1, refused_attempts=1)


def may_repeat(idempotent: bool, status: int | None, retry_after: float | None) -> bool:
    """Return whether a call that failed so may be sent again; `status` None means that no answer came."""
    if status == 429 or (status == 503 and retry_after is not None):
        return True
    return idempotent and (status is None or status in LOSSES)
