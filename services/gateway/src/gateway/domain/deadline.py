"""Deadlines of callers: always a little shorter than the model server's own limit.

TorchServe kills a worker, and the whole batch with it, when its response timeout passes. A gateway that gave up later
would turn one slow text into an outage.
"""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from gateway.domain.coalescer import Lane
from gateway.domain.errors import RequestRefused

HEADER = "X-Deadline-Milliseconds"
MARGIN_SECONDS = 0.5


@dataclass(frozen=True)
class Timeout:
    """Seconds to wait; `shortened` when the caller asked for less than the usual."""

    seconds: float
    shortened: bool = False


@dataclass(frozen=True)
class Call:
    """A call: its caller, lane and time limits (for workers, then for the answer), and whether it still waits.

    `evaluation` is one with secret texts: a model with untrusted code answers it from a sandbox of its own.
    """

    request_id: str
    deadline_header: str | None = None
    wait_seconds: float = 0.0
    caller: str = ""
    has_left: Callable[[], bool] = lambda: False
    lane: Lane = Lane.PEOPLE
    evaluation: UUID | None = None


def timeout(header: str | None, default_milliseconds: int, response_timeout_seconds: float) -> Timeout:
    """Return the time to wait. Raises RequestRefused for an unusable header."""
    usual = min(default_milliseconds / 1000, max(response_timeout_seconds - MARGIN_SECONDS, MARGIN_SECONDS))
    if header is None:
        return Timeout(usual)
    if not (header.isascii() and header.isdigit() and 1 <= len(header) <= 9 and int(header) > 0):
        raise RequestRefused(
            "deadline-invalid",
            HEADER,
            "it must be a whole number of milliseconds, at least 1",
            "Leave the header out, or send a number such as 2000.",
            status=400,
        )
    asked = int(header) / 1000
    return Timeout(min(asked, usual), shortened=asked < usual)
