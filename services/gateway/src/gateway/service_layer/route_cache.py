"""The table of models in memory, refreshed in the background.

Predictions never wait for the registry: they use the last table. It is at most a second old while the registry answers,
and as old as the outage while it does not.
"""

from collections.abc import Callable

import gevent
from dynabench_common.http.client import UpstreamError
from dynabench_common.telemetry.logging import get_logger
from gevent.event import Event

from gateway.domain.errors import UnknownModel
from gateway.domain.routes import Route, RouteTable
from gateway.service_layer.outages import not_loaded
from gateway.service_layer.ports import Registry

log = get_logger(__name__)


class RouteCache:
    """The last table that the registry gave."""

    def __init__(
        self,
        registry: Registry,
        pause_seconds: float,
        on_refresh: Callable[[RouteTable], None] = lambda _: None,
    ) -> None:
        self._registry = registry
        self._on_refresh = on_refresh
        self._pause_seconds = pause_seconds
        self._table: RouteTable = {}
        self._refreshed = Event()
        self._is_loaded = False
        self._is_away = False

    def check_loaded(self) -> None:
        """Raise RuntimeError until the first table has arrived."""
        if not self._is_loaded:
            raise RuntimeError("the registry has not been reached yet")

    def ensure_loaded(self) -> None:
        """Raise Unavailable until the first table has arrived."""
        if not self._is_loaded:
            raise not_loaded()

    def find(self, name: str) -> Route:
        """Return the model's route. Raises UnknownModel; Unavailable until the first table has arrived."""
        route = self._table.get(name)
        if route is None:
            self.ensure_loaded()
            raise UnknownModel(name)
        return route

    def knows(self, name: str) -> bool:
        """Return whether a model of this name is served."""
        return name in self._table

    def all(self) -> list[Route]:
        """Return the routes of all models, by name."""
        table = self._table
        return [table[name] for name in sorted(table)]

    def refresh(self) -> None:
        """Read the table once; if the registry does not answer, the last one stays."""
        try:
            self._table = self._registry.routes()
        except (UpstreamError, KeyError, TypeError, ValueError) as err:
            if not self._is_away:
                log.warning("routes_not_refreshed", reason=str(err), models=len(self._table))
            self._is_away = True
            return
        if self._is_away or not self._is_loaded:
            log.info("routes_refreshed", models=sorted(self._table))
        self._is_loaded, self._is_away = True, False
        self._on_refresh(self._table)
        self._refreshed.set()
        self._refreshed.clear()

    def wait_for_refresh(self, timeout_seconds: float) -> None:
        """Return after the next refresh, or after the timeout."""
        self._refreshed.wait(timeout_seconds)

    def run(self) -> None:
        """Refresh for ever."""
        while True:
            self.refresh()
            gevent.sleep(self._pause_seconds)
