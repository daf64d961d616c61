"""A worker process: components in threads that end together.

A component that fails ends the process, and the supervisor starts a fresh one. A worker with a dead component would go
unnoticed.

A worker has no port but that of its metrics. If WORKER_ALIVE_FILE names a file, the worker touches it each second while
all components run. A probe can then detect a worker that hangs as a whole by the file's age.
"""

import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from sqlalchemy.exc import SQLAlchemyError

from dynabench_common.settings import ProcessSettings, SettingsError, load
from dynabench_common.telemetry.logging import get_logger
from dynabench_common.telemetry.metrics_port import MetricsPort, MetricsSettings
from dynabench_common.telemetry.trace_export import TracingSettings, begin_export, end_export

log = get_logger(__name__)
DRAIN_SECONDS = 20
"""A little more than a statement may take. Longer work is leased or uncommitted, and will be repeated."""


class Component(Protocol):
    """A part of a worker that runs until it is stopped."""

    name: str

    def run(self, stop: threading.Event) -> None:
        """Work until `stop` is set, finishing the current step."""


class Every:
    """Work that is repeated while the worker runs; several workers may do it at once.

    `step` returns whether more work waits. The next step follows after `busy_seconds` then, else after `seconds`. A
    step that fails is logged, and the next one comes in its time. An exception of `outages` is logged as a warning,
    any other as an error with its traceback.
    """

    def __init__(
        self,
        name: str,
        seconds: float,
        step: Callable[[], object],
        *,
        busy_seconds: float = 0.0,
        outages: tuple[type[Exception], ...] = (),
    ) -> None:
        self.name = name
        self._seconds = seconds
        self._step = step
        self._busy_seconds = busy_seconds
        self._outages: tuple[type[Exception], ...] = (SQLAlchemyError, *outages)

    def run(self, stop: threading.Event) -> None:
        """Repeat the step until `stop`."""
        while not stop.is_set():
            has_more: object = False
            try:
                has_more = self._step()
            except self._outages as err:
                log.warning("component_postponed", component=self.name, reason=str(err)[:300])
            except Exception as err:
                log.error("component_postponed", component=self.name, exc_info=err)
            stop.wait(self._busy_seconds if has_more else self._seconds)


def run_worker(service: str, components: Sequence[Component]) -> None:
    """Run components of a service until SIGTERM or SIGINT; exit with status 1 if one of them failed.

    Raises SettingsError if WORKER_ALIVE_FILE lies in no folder, METRICS_BIND comes without a
    token, or OTEL_EXPORTER_OTLP_ENDPOINT is no address.
    """
    alive_file = load(ProcessSettings).worker_alive_file
    if alive_file is not None and not alive_file.parent.is_dir():
        raise SettingsError(f"WORKER_ALIVE_FILE: there is no folder {alive_file.parent}")
    metrics = load(MetricsSettings)
    if metrics.metrics_bind:
        MetricsPort(metrics).serve()
    begin_export(service, load(TracingSettings))
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
        if alive_file is not None:
            alive_file.touch()
    until = time.monotonic() + DRAIN_SECONDS
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    end_export()
    log.info("worker_stopped", failed=failed.is_set())
    sys.exit(1 if failed.is_set() else 0)
