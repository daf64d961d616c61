"""Explanations: cached, computed once for all simultaneous callers, and few at a time.

An explanation takes hundreds of times a prediction's work. So its workers are started on demand, and their slots are
shared between people (`domain/fair_queue.py`). A computation in progress runs to its end even if its caller has left.
Nothing can stop a worker, and the next caller will want the result. A computation that still waits is dropped with
its last caller.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

import gevent
from dynabench_common.telemetry.spans import asking_model
from gevent.event import AsyncResult
from opentelemetry.trace import Span, get_current_span

from gateway.domain.breaker import CircuitBreaker
from gateway.domain.cache import BoundedCache
from gateway.domain.deadline import Call, Timeout, timeout
from gateway.domain.errors import CallFailed, Fault, TooManyInFlight
from gateway.domain.explanation import ExplanationKey, explanation_keys
from gateway.domain.fair_queue import FairQueue
from gateway.domain.routes import Route, WorkerKind
from gateway.service_layer.outages import (
    breaker_open,
    deadline_passed,
    explanation_too_slow,
    model_changed,
    not_running,
    outage,
)
from gateway.service_layer.ports import ModelServer
from gateway.service_layer.workers import Workers

LOOK_SECONDS = 0.5
"""Interval of checks whether a caller still waits."""


@dataclass(frozen=True)
class Explained:
    """Encoded explanations in the order of the instances; `cached` when none had to be computed."""

    entries: list[bytes]
    cached: bool


@dataclass(eq=False)
class Computation:
    """One explanation in progress, and the number of requests that wait for it."""

    key: ExplanationKey
    route: Route
    caller: str
    request_id: str
    result: "AsyncResult[bytes]" = field(default_factory=AsyncResult)
    waiting: int = 0
    has_begun: bool = False
    span: Span = field(default_factory=get_current_span)


@dataclass
class ModelExplanations:
    """The explanations in progress for one model."""

    breaker: CircuitBreaker
    queue: FairQueue[Computation] = field(default_factory=FairQueue)

    @property
    def running(self) -> int:
        """Return how many explanations are being computed."""
        return self.queue.running


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
        self._by_model: dict[str, ModelExplanations] = {}
        self._computations: dict[ExplanationKey, Computation] = {}

    def of_model(self, name: str) -> ModelExplanations:
        """Return the model's explanations in progress."""
        found = self._by_model.get(name)
        if found is None:
            found = self._by_model[name] = ModelExplanations(self._new_breaker())
        return found

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
        entries = [self._entry(key, route, deadline, wait, call) for key in keys]
        return Explained(entries, cached=False)

    def _entry(self, key: ExplanationKey, route: Route, deadline: float, wait: Timeout, call: Call) -> bytes:
        entry: bytes | None = self._cache.get(key)
        if entry is not None:
            return entry
        computation = self._computations.get(key) or self._begin(key, route, call)
        computation.waiting += 1
        try:
            entry = self._wait_for(computation, deadline, call)
        except gevent.Timeout:
            is_slow = computation.has_begun and not wait.shortened
            raise (explanation_too_slow if is_slow else deadline_passed)(route.name, wait.seconds) from None
        except CallFailed as err:
            if err.fault is Fault.NO_WORKER:
                raise not_running(route, WorkerKind.EXPLAINER) from err
            raise outage(route.name, err) from err
        finally:
            computation.waiting -= 1
            self._drop_if_nobody_waits(computation)
        return entry

    def _wait_for(self, computation: Computation, deadline: float, call: Call) -> bytes:
        """Return the result. Raises gevent.Timeout once the deadline has passed or the caller has left."""
        while True:
            left = max(deadline - self._monotonic(), 0)
            try:
                found: bytes = computation.result.get(timeout=min(left, LOOK_SECONDS))
            except gevent.Timeout:
                if left <= LOOK_SECONDS or call.has_left():
                    raise
            else:
                return found

    def _begin(self, key: ExplanationKey, route: Route, call: Call) -> Computation:
        in_progress, places = self.of_model(route.name), route.explainer.max_in_flight
        computation = Computation(key, route, call.caller, call.request_id)
        if in_progress.queue.begin(call.caller, places):
            self._start(computation)
        elif not in_progress.queue.wait(call.caller, computation):
            raise TooManyInFlight(route.name, places, "explanations")
        self._computations[key] = computation
        return computation

    def _drop_if_nobody_waits(self, computation: Computation) -> None:
        if computation.waiting:
            return
        if self.of_model(computation.route.name).queue.leave(computation.caller, computation):
            del self._computations[computation.key]

    def _start(self, computation: Computation) -> None:
        computation.has_begun = True
        gevent.spawn(self._run, computation)

    def _run(self, computation: Computation) -> None:
        route = computation.route
        queue = self.of_model(route.name).queue
        try:
            computation.result.set(self._compute(computation))
        except Exception as err:
            computation.result.set_exception(err)
        finally:
            queue.end(computation.caller)
            del self._computations[computation.key]
            while (waiting := queue.next(route.explainer.max_in_flight)) is not None:
                self._start(waiting)

    def _compute(self, computation: Computation) -> bytes:
        key, route = computation.key, computation.route
        explain = route.explainer
        breaker = self.of_model(route.name).breaker
        if not breaker.admit():
            raise breaker_open(route.name, breaker.report())
        longest = timeout(None, self._deadline_milliseconds, explain.response_timeout_seconds)
        try:
            with asking_model("explain", explain.serving_name, 1, [computation.span]):
                answer = self._server.explain(
                    explain.serving_name,
                    key.instance(),
                    key.options.parameters(),
                    timeout_seconds=longest.seconds,
                    request_id=computation.request_id,
                )
        except CallFailed as err:
            if err.fault is not Fault.REFUSED:
                breaker.failed()
            if err.fault is Fault.TIMED_OUT:
                raise explanation_too_slow(route.name, longest.seconds) from err
            raise
        breaker.succeeded()
        if (answer.model_digest, answer.handler_digest) != (key.model_digest, key.handler_digest):
            raise model_changed(route.name)
        entry = json.dumps(answer.entries[0], allow_nan=False).encode()
        if "error" not in answer.entries[0]:
            self._cache.put(key, entry)
        return entry
