"""Serve an app with gunicorn inside the service's own command, so that settings have one home."""

import gc
import importlib
import shutil
from typing import TYPE_CHECKING, Any

from gunicorn.app.base import BaseApplication

from dynabench_common.http.draining import DrainingArbiter, end_on_stop_signal
from dynabench_common.http.tls import shown_certificate
from dynabench_common.settings import ServiceSettings, load
from dynabench_common.telemetry.metrics_port import MetricsPort, MetricsSettings, share_values
from dynabench_common.telemetry.trace_export import TracingSettings, begin_export, end_export

if TYPE_CHECKING:
    from flask import Flask

GREENLETS = "gevent"
SECURED_GREENLETS = "dynabench_common.http.greenlets.SecuredGreenlets"


class _Server(BaseApplication):  # type: ignore[misc]
    def __init__(self, service: str, factory: str, tracing: TracingSettings, options: dict[str, Any]) -> None:
        self._service = service
        self._factory = factory
        self._tracing = tracing
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> "Flask":
        begin_export(self._service, self._tracing)
        module, _, name = self._factory.partition(":")
        app: Flask = getattr(importlib.import_module(module), name)()
        # A full collection of garbage would walk through all modules and schemas, while requests wait 0.1 s for it.
        # Objects of the start that become garbage later are never freed.
        gc.collect()
        gc.freeze()
        return app

    def run(self) -> None:
        DrainingArbiter(self).run()


def run_http(
    service: str,
    factory: str,
    settings: ServiceSettings,
    worker_class: str = "dynabench_common.http.draining.DrainingThreads",
    options: dict[str, Any] | None = None,
) -> None:
    """Serve until SIGTERM, then finish open requests, for DRAIN_SECONDS at most.

    `service` is its name in logs and traces. `factory`, written as `package.module:function`, is imported and called
    in each worker process after the fork. The arbiter process itself only opens the port of METRICS_BIND.
    `worker_class` is a class with threads, or `gevent` for a service that uses neither psycopg2 nor kafka-python.
    `options` adds gunicorn settings. The service speaks HTTPS if the settings name a certificate.
    Raises SettingsError for a certificate that can't be used.
    """
    secured = shown_certificate(settings)
    if secured and worker_class == GREENLETS:
        worker_class = SECURED_GREENLETS
    _Server(
        service,
        factory,
        load(TracingSettings),
        {
            "bind": settings.http_bind,
            "workers": settings.http_processes,
            "threads": settings.http_threads,
            "worker_class": worker_class,
            "worker_connections": 1000,
            "keepalive": 75,
            "timeout": 60,
            "graceful_timeout": settings.drain_seconds,
            "backlog": 1024,
            "accesslog": None,
            "loglevel": "warning",
            "control_socket_disable": True,
            "post_fork": lambda _server, _worker: end_on_stop_signal(),
            "worker_exit": lambda _server, _worker: end_export(),
            **secured,
            **_metrics(),
            **(options or {}),
        },
    ).run()


def _metrics() -> dict[str, Any]:
    """Return the hooks of gunicorn that show the metrics of all processes together, where that is asked for."""
    settings = load(MetricsSettings)
    if not settings.metrics_bind:
        return {}
    port, folder = MetricsPort(settings), share_values()
    return {
        "post_worker_init": lambda _worker: port.serve(),
        "on_exit": lambda _server: shutil.rmtree(folder, ignore_errors=True),
    }
