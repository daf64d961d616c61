"""Counts of attempts, and the limits of addresses that many people share."""

from datetime import datetime, timedelta

from dynabench_common.http.addresses import comparable

from accounts.adapters.sessions import SqlSignInFailures
from accounts.domain.errors import FieldRefused
from accounts.domain.throttle import RAISED_FOR, Limit, counted
from accounts.service_layer.dependencies import Dependencies

MOST_TIMES = 1_000


def count_try(counts: SqlSignInFailures, subject: str, limit: Limit, now: datetime) -> timedelta:
    """Count a try, unless there were too many; return the time until the next allowed try, zero if allowed."""
    tries = counts.lock(subject, now)
    closed_for = tries.closed_for(now, limit)
    if not closed_for:
        counts.save(subject, counted(tries, now, limit))
    return closed_for


def limit_at(counts: SqlSignInFailures, address: str, limit: Limit, now: datetime) -> Limit:
    """Return the limit of an address, with an operator's raise, if any."""
    return Limit(limit.most * (counts.noted(_raise_of(address), now) or 1), limit.window)


def raise_limits(given: str, times: int, app: Dependencies) -> str:
    """Multiply the limits of an address by `times` for a day, at once; return the address as counted.

    Raises FieldRefused.
    """
    address = comparable(given)
    if address == comparable(""):
        raise FieldRefused(
            "address", f"{given!r} is no IP address", "Copy it from the message about the limit."
        )
    if not 1 <= times <= MOST_TIMES:
        raise FieldRefused("times", f"is {times}", f"Give a number from 1, the usual limit, to {MOST_TIMES}.")
    with app.unit_of_work() as uow:
        uow.sign_in_failures.note(_raise_of(address), app.clock.now() + RAISED_FOR, times)
        uow.commit()
    return address


def _raise_of(address: str) -> str:
    return f"limits of {address}"
