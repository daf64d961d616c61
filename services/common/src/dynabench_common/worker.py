"""A worker process: components in threads that end together.

A component that fails ends the process, and the supervisor starts a fresh one: half a worker is worse than
none, because nobody notices it.
"""

import signal
import sys
import threading
from collections.abc import Sequence
from typing import Protocol

from dynabench_common.logging import get_logger

log = get_logger(__name__)
DRAIN_SECONDS = 10


class Component(Protocol):
    """A part of a worker that runs until told to stop."""

    name: str

    def run(self, stop: threading.Event) -> None:
        """Work until `stop` is set, finishing what is in hand."""


def run_worker(components: Sequence[Component]) -> None:
    """Run components until SIGTERM or SIGINT; exit with status 1 if one of them failed."""
    stop = threading.Event()
    failed = threading.Event()

    def guarded(component: Component) -> None:
        try:
            component.run(stop)
        except Exception as err:
            log.error("component_failed", component=component.name, exc_info=err)
            failed.set()
        finally:
            stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    threads = [
        threading.Thread(target=guarded, args=(component,), name=component.name, daemon=True)
        for component in components
    ]
    for thread in threads:
        thread.start()
    log.info("worker_started", components=[component.name for component in components])
    while not stop.wait(1.0):
        pass
    for thread in threads:
        thread.join(DRAIN_SECONDS)
    log.info("worker_stopped", failed=failed.is_set())
    sys.exit(1 if failed.is_set() else 0)
