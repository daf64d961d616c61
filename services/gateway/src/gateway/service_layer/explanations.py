"""Explanations: cached, computed once for all who ask at once, and few at a time.

One takes hundreds of times a prediction's work, so its workers are started on demand. A computation runs to its
end even when its caller has left, because the next one to ask will want it.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

import gevent
from dynabench_common.client import UpstreamError
from dynabench_common.logging import get_logger
from gevent.event import AsyncResult

from gateway.domain.breaker import CircuitBreaker
from gateway.domain.cache import BoundedCache
from gateway.domain.deadline import Patience, patience
from gateway.domain.errors import CallFailed, Fault, NotExplainable, TooManyInFlight, Unavailable
from gateway.domain.explanation import ExplanationKey, explanation_keys
from gateway.domain.routes import FAILED, ExplainRoute, Route
from gateway.service_layer.outages import breaker_open, deadline_passed, model_changed, outage
from gateway.service_layer.ports import ModelServer, Registry
from gateway.service_layer.route_book import RouteBook

log = get_logger(__name__)
STARTING = "explanation workers are starting, usually 9-16 s"


@dataclass(frozen=True)
class Explained:
    """Encoded explanations in the order of the instances; `cached` when none had to be computed."""

    entries: list[bytes]
    cached: bool


@dataclass(frozen=True)
class Call:
    """Who asks, and how long they wait: for the workers to start, and then for the answer."""

    request_id: str
    deadline_header: str | None = None
    wait_seconds: float = 0.0


@dataclass
class Bench:
    """What is in hand for one model."""

    breaker: CircuitBreaker
    running: int = 0


class Explanations:
    """Answers `:explain`."""

    def __init__(
        self,
        server: ModelServer,
        registry: Registry,
        routes: RouteBook,
        cache: BoundedCache[ExplanationKey],
        new_breaker: Callable[[], CircuitBreaker],
        deadline_milliseconds: int,
        monotonic: Callable[[], float],
    ) -> None:
        self._server = server
        self._registry = registry
        self._routes = routes
        self._cache = cache
        self._new_breaker = new_breaker
        self._deadline_milliseconds = deadline_milliseconds
        self._monotonic = monotonic
        self._benches: dict[str, Bench] = {}
        self._computations: dict[ExplanationKey, AsyncResult[bytes]] = {}

    def bench(self, name: str) -> Bench:
        """Return the model's bench."""
        bench = self._benches.get(name)
        if bench is None:
            bench = self._benches[name] = Bench(self._new_breaker())
        return bench

    def explain(self, route: Route, body: object, call: Call) -> Explained:
        """Return an explanation per instance of the request's decoded body.

        Raises RequestRefused, NotExplainable, TooManyInFlight or Unavailable.
        """
        explain = _explain_route(route)
        wait = patience(call.deadline_header, self._deadline_milliseconds, explain.response_timeout_seconds)
        keys = explanation_keys(body, route, explain.max_characters)
        cached = [self._cache.get(key) for key in keys]
        found = [entry for entry in cached if entry is not None]
        if len(found) == len(keys):
            return Explained(found, cached=True)
        explain = self._running_explainer(route, call.wait_seconds)
        deadline = self._monotonic() + wait.seconds
        entries = [self._entry(key, route.name, explain, deadline, wait, call) for key in keys]
        return Explained(entries, cached=False)

    def _running_explainer(self, route: Route, wait_seconds: float) -> ExplainRoute:
        """Return the explainer once it runs; starts it, and waits at most so long. Raises Unavailable."""
        explain = _explain_route(route)
        self._report_use(route.name)
        deadline = self._monotonic() + wait_seconds
        while explain.state != "ready":
            left = deadline - self._monotonic()
            if left <= 0:
                raise _not_running(explain)
            self._routes.wait_for_refresh(min(left, 1.0))
            self._report_use(route.name)
            explain = _explain_route(self._routes.find(route.name))
        return explain

    def _report_use(self, name: str) -> None:
        gevent.spawn(self._start_explainer, name)

    def _start_explainer(self, name: str) -> None:
        try:
            self._registry.start_explainer(name)
        except UpstreamError as err:
            log.warning("explainer_not_requested", model=name, reason=str(err))

    def _entry(
        self,
        key: ExplanationKey,
        name: str,
        explain: ExplainRoute,
        deadline: float,
        wait: Patience,
        call: Call,
    ) -> bytes:
        entry: bytes | None = self._cache.get(key)
        if entry is not None:
            return entry
        computation = self._computations.get(key) or self._begin(key, name, explain, call)
        try:
            entry = computation.get(timeout=max(deadline - self._monotonic(), 0))
        except gevent.Timeout:
            raise deadline_passed(name, wait.seconds) from None
        except CallFailed as err:
            if err.fault is Fault.NO_WORKER:
                raise _not_running(explain) from err
            raise outage(name, err) from err
        return entry

    def _begin(
        self, key: ExplanationKey, name: str, explain: ExplainRoute, call: Call
    ) -> "AsyncResult[bytes]":
        bench = self.bench(name)
        if bench.running >= explain.max_in_flight:
            raise TooManyInFlight(name, explain.max_in_flight, "explanations")
        if not bench.breaker.admit():
            raise breaker_open(name, bench.breaker.report())
        bench.running += 1
        computation: AsyncResult[bytes] = AsyncResult()
        self._computations[key] = computation
        gevent.spawn(self._run, computation, key, name, explain, call.request_id)
        return computation

    def _run(
        self,
        computation: "AsyncResult[bytes]",
        key: ExplanationKey,
        name: str,
        explain: ExplainRoute,
        request_id: str,
    ) -> None:
        try:
            computation.set(self._compute(key, name, explain, request_id))
        except Exception as err:
            computation.set_exception(err)
        finally:
            self.bench(name).running -= 1
            del self._computations[key]

    def _compute(self, key: ExplanationKey, name: str, explain: ExplainRoute, request_id: str) -> bytes:
        breaker = self.bench(name).breaker
        longest = patience(None, self._deadline_milliseconds, explain.response_timeout_seconds)
        try:
            answer = self._server.explain(
                explain.serving_name,
                key.instance(),
                key.options.parameters(),
                timeout_seconds=longest.seconds,
                request_id=request_id,
            )
        except CallFailed as err:
            if err.fault is not Fault.REFUSED:
                breaker.failed()
            raise
        breaker.succeeded()
        if (answer.model_digest, answer.handler_digest) != (key.model_digest, key.handler_digest):
            raise model_changed(name)
        entry = json.dumps(answer.entries[0], allow_nan=False).encode()
        if "error" not in answer.entries[0]:
            self._cache.put(key, entry)
        return entry


def _explain_route(route: Route) -> ExplainRoute:
    if route.explain is None:
        raise NotExplainable(route.name)
    return route.explain


def _not_running(explain: ExplainRoute) -> Unavailable:
    if explain.state == FAILED:
        reason = explain.reason or "unknown"
        return Unavailable("explainer-failed", f"The explanation workers could not be started: {reason}.", 30)
    return Unavailable("explainer-starting", f"The {STARTING}.", 5)
