"""Workers on demand: the gateway reports their use, so that they start and stay, and callers may wait for them.

The registry stops workers without a report for their idle time. It gets at most one report a second for each model.
"""

from collections.abc import Callable
from uuid import UUID

import gevent
from dynabench_common.http.client import UpstreamError
from dynabench_common.telemetry.logging import get_logger

from gateway.domain.routes import READY, Route, WorkerKind
from gateway.service_layer.outages import not_running
from gateway.service_layer.ports import Registry
from gateway.service_layer.route_cache import RouteCache

log = get_logger(__name__)
REPORT_SECONDS = 1.0


class Workers:
    """Access to on-demand workers for callers; the registry starts and stops them."""

    def __init__(self, registry: Registry, routes: RouteCache, monotonic: Callable[[], float]) -> None:
        self._registry = registry
        self._routes = routes
        self._monotonic = monotonic
        self._reported: dict[tuple[str, WorkerKind, UUID | None], float] = {}

    def running(
        self, route: Route, kind: WorkerKind, wait_seconds: float, evaluation: UUID | None = None
    ) -> Route:
        """Return the route once its workers run; wait at most the given time. A scorer serves one evaluation.

        Raises Unavailable, NotExplainable; UnknownModel if the model is removed meanwhile.
        """
        deadline = self._monotonic() + wait_seconds
        self._report_use(route, kind, evaluation)
        while _state(route, kind, evaluation) != READY:
            left = deadline - self._monotonic()
            if left <= 0:
                raise not_running(route, kind, evaluation)
            self._routes.wait_for_refresh(min(left, 1.0))
            route = self._routes.find(route.name)
            self._report_use(route, kind, evaluation)
        return route

    def predicted(self, route: Route) -> None:
        """Report use of the explainer of a model with predictions, if the model is configured so."""
        if route.warms_explainer:
            self._report_use(route, WorkerKind.EXPLAINER)

    def _report_use(self, route: Route, kind: WorkerKind, evaluation: UUID | None = None) -> None:
        if kind is WorkerKind.PREDICTOR and not route.is_on_demand:
            return
        now, workers = self._monotonic(), (route.name, kind, evaluation)
        if now - self._reported.get(workers, -REPORT_SECONDS) >= REPORT_SECONDS:
            recent = {each: at for each, at in self._reported.items() if now - at < REPORT_SECONDS}
            self._reported = {**recent, workers: now}
            gevent.spawn(self._report, route.name, kind, evaluation)

    def _report(self, name: str, kind: WorkerKind, evaluation: UUID | None) -> None:
        try:
            self._registry.start(name, kind, evaluation)
        except UpstreamError as err:
            log.warning("workers_not_requested", model=name, kind=kind.value, reason=str(err))


def _state(route: Route, kind: WorkerKind, evaluation: UUID | None) -> str:
    if evaluation is not None:
        return route.scorer(evaluation).state
    return route.state if kind is WorkerKind.PREDICTOR else route.explainer.state
