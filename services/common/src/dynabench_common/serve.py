"""Serve an app with gunicorn inside the service's own command, so that settings have one home."""

from collections.abc import Callable
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication

from dynabench_common.settings import ServiceSettings


class _Server(BaseApplication):  # type: ignore[misc]
    def __init__(self, factory: Callable[[], Flask], options: dict[str, Any]) -> None:
        self._factory = factory
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        return self._factory()


def run_http(
    factory: Callable[[], Flask],
    settings: ServiceSettings,
    worker_class: str = "gthread",
    options: dict[str, Any] | None = None,
) -> None:
    """Serve until SIGTERM, then finish what is in hand (at most 10 s).

    `factory` runs in each process after the fork. `worker_class` is `gthread`, or `gevent` for a service that
    neither uses psycopg2 nor kafka-python. `options` adds gunicorn settings.
    """
    _Server(
        factory,
        {
            "bind": settings.http_bind,
            "workers": settings.http_processes,
            "threads": settings.http_threads,
            "worker_class": worker_class,
            "worker_connections": 1000,
            "keepalive": 75,
            "timeout": 60,
            "graceful_timeout": 10,
            "backlog": 1024,
            "accesslog": None,
            "loglevel": "warning",
            "control_socket_disable": True,
            **(options or {}),
        },
    ).run()
