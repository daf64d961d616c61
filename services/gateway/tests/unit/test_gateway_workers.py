"""Workers on demand, with a registry in memory and a clock that the test moves."""

from dataclasses import replace
from uuid import UUID

import gevent
import pytest
from dynabench_common.http.client import UpstreamError
from gateway.domain.errors import NotExplainable, Unavailable, UnknownModel
from gateway.domain.routes import Route, RouteTable, WorkerKind, read_routes
from gateway.service_layer.route_cache import RouteCache
from gateway.service_layer.workers import Workers

from .test_gateway_requests import EXPLAIN, ROUTE

PREDICTOR, EXPLAINER = WorkerKind.PREDICTOR, WorkerKind.EXPLAINER
ON_DEMAND = replace(ROUTE, start="on_demand")
STOPPED = replace(ON_DEMAND, state="stopped")


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class RegistryInMemory:
    """Returns the next route at each look-up; the last one stays. None is a table without the model."""

    def __init__(self, time: Time, *routes: Route | None) -> None:
        self.asked: list[tuple[str, WorkerKind]] = []
        self.is_away = False
        self._time = time
        self._routes = list(routes)

    def routes(self) -> RouteTable:
        self._time.now += 1
        route = self._routes.pop(0) if len(self._routes) > 1 else self._routes[0]
        return read_routes([]) if route is None else {route.name: route}

    def start(self, name: str, kind: WorkerKind, evaluation: UUID | None = None) -> None:
        self.asked.append((name, kind))
        if self.is_away:
            raise UpstreamError("no answer")


class World:
    """Workers with fakes around them. A look-up at the registry takes a second."""

    def __init__(self, *routes: Route | None) -> None:
        self.time = Time()
        self.registry = RegistryInMemory(self.time, *routes)
        self.book = RouteCache(self.registry, 0.001)
        self.workers = Workers(self.registry, self.book, self.time)

    def running(self, route: Route, kind: WorkerKind = PREDICTOR, wait_seconds: float = 0.0) -> Route:
        refreshing = gevent.spawn(self.book.run)
        try:
            return self.workers.running(route, kind, wait_seconds)
        finally:
            refreshing.kill()

    def asked(self) -> list[tuple[str, WorkerKind]]:
        gevent.sleep(0)
        return self.registry.asked


@pytest.mark.parametrize(
    ("route", "kind", "slug"),
    [
        (STOPPED, PREDICTOR, "model-starting"),
        (replace(ON_DEMAND, state="starting"), PREDICTOR, "model-starting"),
        (replace(ON_DEMAND, state="failed"), PREDICTOR, "model-failed"),
        (replace(ROUTE, state="starting"), PREDICTOR, "model-starting"),
        (replace(ROUTE, explain=replace(EXPLAIN, state="stopped")), EXPLAINER, "explainer-starting"),
        (replace(ROUTE, explain=replace(EXPLAIN, state="failed")), EXPLAINER, "explainer-failed"),
    ],
)
def test_a_caller_that_does_not_wait_gets_a_refusal(route: Route, kind: WorkerKind, slug: str) -> None:
    with pytest.raises(Unavailable) as caught:
        World(route).running(route, kind)
    assert caught.value.slug == slug


def test_who_waits_gets_the_route_as_it_is_then() -> None:
    ready = replace(ON_DEMAND, workers=7)
    assert World(STOPPED, STOPPED, ready).running(STOPPED, wait_seconds=30) == ready


def test_a_wait_ends() -> None:
    world = World(STOPPED)
    with pytest.raises(Unavailable):
        world.running(STOPPED, wait_seconds=5)
    assert world.time.now >= 5


def test_a_model_that_goes_meanwhile_is_unknown() -> None:
    with pytest.raises(UnknownModel):
        World(STOPPED, None).running(STOPPED, wait_seconds=30)


def test_before_the_first_table_no_model_is_said_to_be_unknown() -> None:
    world = World(ROUTE)
    with pytest.raises(Unavailable):
        world.book.find(ROUTE.name)
    world.book.refresh()
    assert world.book.find(ROUTE.name) == ROUTE
    with pytest.raises(UnknownModel):
        world.book.find("gone")


def test_a_model_without_explanations_has_no_such_workers() -> None:
    with pytest.raises(NotExplainable):
        World(ROUTE).running(replace(ROUTE, explain=None), EXPLAINER)


def test_use_is_reported_at_most_once_a_second_for_each_kind() -> None:
    world = World(ON_DEMAND)
    for now in (0.0, 0.5, 0.9, 1.0, 1.5, 2.0):
        world.time.now = now
        world.workers.running(ON_DEMAND, PREDICTOR, 0)
    assert world.asked() == [("mini", PREDICTOR)] * 3
    world.workers.running(ON_DEMAND, EXPLAINER, 0)
    assert world.asked()[3:] == [("mini", EXPLAINER)]


def test_prediction_workers_that_always_run_are_not_reported() -> None:
    world = World(ROUTE)
    world.workers.running(ROUTE, PREDICTOR, 0)
    assert world.asked() == []


def test_an_unavailable_registry_costs_no_answer() -> None:
    world = World(ON_DEMAND)
    world.registry.is_away = True
    assert world.workers.running(ON_DEMAND, PREDICTOR, 0) == ON_DEMAND
    assert world.asked() == [("mini", PREDICTOR)]
