"""Explanations: cached, computed once for all who ask at once, and few at a time.

One takes hundreds of times a prediction's work, so its workers are started on demand. A computation runs to its
end even when its caller has left, because the next one to ask will want it.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

import gevent
from gevent.event import AsyncResult

from gateway.domain.breaker import CircuitBreaker
from gateway.domain.cache import BoundedCache
from gateway.domain.deadline import Call, Timeout, timeout
from gateway.domain.errors import CallFailed, Fault, TooManyInFlight
from gateway.domain.explanation import ExplanationKey, explanation_keys
from gateway.domain.routes import Route, WorkerKind
from gateway.service_layer.outages import breaker_open, deadline_passed, model_changed, not_running, outage
from gateway.service_layer.ports import ModelServer
from gateway.service_layer.workers import Workers


@dataclass(frozen=True)
class Explained:
    """Encoded explanations in the order of the instances; `cached` when none had to be computed."""

    entries: list[bytes]
    cached: bool


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
        workers: Workers,
        cache: BoundedCache[ExplanationKey],
        new_breaker: Callable[[], CircuitBreaker],
        deadline_milliseconds: int,
        monotonic: Callable[[], float],
    ) -> None:
        self._server = server
        self._workers = workers
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
        explain = route.explainer
        wait = timeout(call.deadline_header, self._deadline_milliseconds, explain.response_timeout_seconds)
        keys = explanation_keys(body, route, explain.max_characters)
        cached = [self._cache.get(key) for key in keys]
        found = [entry for entry in cached if entry is not None]
        if len(found) == len(keys):
            return Explained(found, cached=True)
        route = self._workers.running(route, WorkerKind.EXPLAINER, call.wait_seconds)
        deadline = self._monotonic() + wait.seconds
        entries = [self._entry(key, route, deadline, wait, call.request_id) for key in keys]
        return Explained(entries, cached=False)

    def _entry(
        self, key: ExplanationKey, route: Route, deadline: float, wait: Timeout, request_id: str
    ) -> bytes:
        entry: bytes | None = self._cache.get(key)
        if entry is not None:
            return entry
        computation = self._computations.get(key) or self._begin(key, route, request_id)
        try:
            entry = computation.get(timeout=max(deadline - self._monotonic(), 0))
        except gevent.Timeout:
            raise deadline_passed(route.name, wait.seconds) from None
        except CallFailed as err:
            if err.fault is Fault.NO_WORKER:
                raise not_running(route, WorkerKind.EXPLAINER) from err
            raise outage(route.name, err) from err
        return entry

    def _begin(self, key: ExplanationKey, route: Route, request_id: str) -> "AsyncResult[bytes]":
        bench = self.bench(route.name)
        if bench.running >= route.explainer.max_in_flight:
            raise TooManyInFlight(route.name, route.explainer.max_in_flight, "explanations")
        if not bench.breaker.admit():
            raise breaker_open(route.name, bench.breaker.report())
        bench.running += 1
        computation: AsyncResult[bytes] = AsyncResult()
        self._computations[key] = computation
        gevent.spawn(self._run, computation, key, route, request_id)
        return computation

    def _run(
        self, computation: "AsyncResult[bytes]", key: ExplanationKey, route: Route, request_id: str
    ) -> None:
        try:
            computation.set(self._compute(key, route, request_id))
        except Exception as err:
            computation.set_exception(err)
        finally:
            self.bench(route.name).running -= 1
            del self._computations[key]

    def _compute(self, key: ExplanationKey, route: Route, request_id: str) -> bytes:
        explain = route.explainer
        breaker = self.bench(route.name).breaker
        longest = timeout(None, self._deadline_milliseconds, explain.response_timeout_seconds)
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
            raise model_changed(route.name)
        entry = json.dumps(answer.entries[0], allow_nan=False).encode()
        if "error" not in answer.entries[0]:
            self._cache.put(key, entry)
        return entry
