"""Heartbeat that renews the lease of a running job.

A thread renews the lease three times in its duration. If a worker is killed, its lease expires and another worker takes
the job over. A worker that was only slow finds out at its next progress report or write.
"""

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from dynabench_common.logging import get_logger

from scoring.domain.errors import LeaseLost

log = get_logger(__name__)
BEATS_PER_LEASE = 3


class Heartbeat:
    """Renews a lease until the block ends; `show` says what may be seen of the job."""

    def __init__(self, renew: Callable[[dict[str, Any]], None], lease_seconds: float) -> None:
        self._renew = renew
        self._pause = lease_seconds / BEATS_PER_LEASE
        self._ended = threading.Event()
        self._seen: dict[str, Any] = {}
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def show(self, **seen: Any) -> None:
        """Renew at once and store what may be seen. Raises LeaseLost if another worker has the job."""
        self._seen = seen
        self._renew(seen)

    def _run(self) -> None:
        while not self._ended.wait(self._pause):
            try:
                self._renew(self._seen)
            except LeaseLost:
                return
            except Exception as err:
                log.warning("lease_not_renewed", reason=f"{type(err).__name__}: {err}"[:300])
