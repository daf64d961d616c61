"""Workers that start on demand: reported as used, so that they start and stay, and waited for by who likes to.

The registry stops them when it has not heard of them for their idle time; it hears at most once a second of each.
"""

from collections.abc import Callable

import gevent
from dynabench_common.client import UpstreamError
from dynabench_common.logging import get_logger

from gateway.domain.routes import READY, Route, WorkerKind
from gateway.service_layer.outages import not_running
from gateway.service_layer.ports import Registry
from gateway.service_layer.route_cache import RouteCache

log = get_logger(__name__)
REPORT_SECONDS = 1.0


class Workers:
    """Stands between those who need workers and the registry, which starts and stops them."""

    def __init__(self, registry: Registry, routes: RouteCache, monotonic: Callable[[], float]) -> None:
        self._registry = registry
        self._routes = routes
        self._monotonic = monotonic
        self._reported: dict[tuple[str, WorkerKind], float] = {}

    def running(self, route: Route, kind: WorkerKind, wait_seconds: float) -> Route:
        """Return the route as it is once its workers run, waiting at most so long for them.

        Raises Unavailable, NotExplainable; UnknownModel when the model goes meanwhile.
        """
        deadline = self._monotonic() + wait_seconds
        self._report_use(route, kind)
        while _state(route, kind) != READY:
            left = deadline - self._monotonic()
            if left <= 0:
                raise not_running(route, kind)
            self._routes.wait_for_refresh(min(left, 1.0))
            route = self._routes.find(route.name)
            self._report_use(route, kind)
        return route

    def predicted(self, route: Route) -> None:
        """Keep the explainer warm of a model that is being tried, if it is declared so."""
        if route.warms_explainer:
            self._report_use(route, WorkerKind.EXPLAINER)

    def _report_use(self, route: Route, kind: WorkerKind) -> None:
        if kind is WorkerKind.PREDICTOR and not route.is_on_demand:
            return
        now = self._monotonic()
        if now - self._reported.get((route.name, kind), -REPORT_SECONDS) >= REPORT_SECONDS:
            self._reported[route.name, kind] = now
            gevent.spawn(self._report, route.name, kind)

    def _report(self, name: str, kind: WorkerKind) -> None:
        try:
            self._registry.start(name, kind)
        except UpstreamError as err:
            log.warning("workers_not_requested", model=name, kind=kind.value, reason=str(err))


def _state(route: Route, kind: WorkerKind) -> str:
    return route.state if kind is WorkerKind.PREDICTOR else route.explainer.state
