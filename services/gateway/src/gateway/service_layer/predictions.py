"""Predictions: find the model, check the request, send it to the model's dispatcher, and time the call."""

import time
from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

from dynabench_common.telemetry.metrics import KnownNames
from prometheus_client import Histogram

from gateway.domain.answers import BatchAnswer
from gateway.domain.coalescer import Lane
from gateway.domain.deadline import Call, Timeout, timeout
from gateway.domain.errors import RequestRefused, TooManyInFlight, Unavailable
from gateway.domain.requests import Instance, prediction_instances
from gateway.domain.routes import Route, WorkerKind
from gateway.service_layer.model_dispatcher import ModelDispatcher
from gateway.service_layer.workers import Workers

PREDICTION_SECONDS = Histogram(
    "dynabench_prediction_seconds",
    "Time of a call for predictions, from its admission to the model's answer or to why there is none",
    ("model", "lane", "result"),
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0),
)


class PredictionMetrics:
    """Counters and timers of calls; models beyond the first 200 share one label."""

    def __init__(self) -> None:
        self._known = KnownNames()

    def ended(self, model: str, lane: Lane, result: str, seconds: float) -> None:
        """Note how a call ended: `answered`, `refused`, `busy`, `unavailable` or `failed`."""
        PREDICTION_SECONDS.labels(self._known(model), lane.value, result).observe(seconds)


class Predictions:
    """Answers `:predict`. Lanes are made at a model's first use and kept."""

    def __init__(
        self,
        new_dispatcher: Callable[[], ModelDispatcher],
        workers: Workers,
        deadline_milliseconds: int,
        watch: PredictionMetrics,
    ) -> None:
        self._new_dispatcher = new_dispatcher
        self._workers = workers
        self._deadline_milliseconds = deadline_milliseconds
        self._watch = watch
        self._dispatchers: dict[str, ModelDispatcher] = {}
        self._scoring: dict[str, str] = {}  # dispatchers of evaluations' sandboxes, and their models

    def dispatcher(self, name: str) -> ModelDispatcher:
        """Return the model's dispatcher."""
        dispatcher = self._dispatchers.get(name)
        if dispatcher is None:
            dispatcher = self._dispatchers[name] = self._new_dispatcher()
        return dispatcher

    def predict(self, route: Route, body: object, call: Call) -> BatchAnswer:
        """Return an entry per instance of the request's decoded body.

        Raises RequestRefused, TooManyInFlight or Unavailable; UnknownModel if the model is removed meanwhile.
        """
        started, result = time.perf_counter(), "failed"
        try:
            answer = self._answer(route, body, call)
            result = "answered"
        except RequestRefused:
            result = "refused"
            raise
        except TooManyInFlight:
            result = "busy"
            raise
        except Unavailable:
            result = "unavailable"
            raise
        finally:
            self._watch.ended(route.name, call.lane, result, time.perf_counter() - started)
        return answer

    def _answer(self, route: Route, body: object, call: Call) -> BatchAnswer:
        wait = timeout(call.deadline_header, self._deadline_milliseconds, route.response_timeout_seconds)
        instances = prediction_instances(body, route.fields, route.max_characters)
        if call.evaluation is not None and route.scorers is not None:
            return self._scored(route, instances, wait, call, call.evaluation)
        if route.is_on_demand or not route.is_ready:
            route = self._workers.running(route, WorkerKind.PREDICTOR, call.wait_seconds)
        answer = self.dispatcher(route.name).predict(route, instances, wait, call.request_id, call.lane)
        self._workers.predicted(route)
        return answer

    def _scored(
        self, route: Route, instances: list[Instance], wait: Timeout, call: Call, evaluation: UUID
    ) -> BatchAnswer:
        """Answer an evaluation with secret texts from its own sandbox, which answers nothing else."""
        route = self._workers.running(route, WorkerKind.SCORER, call.wait_seconds, evaluation)
        scorer = route.scorer(evaluation)
        for name in set(self._scoring) - {each.serving_name for each in route.scorers or ()}:
            if self._scoring[name] == route.name:
                del self._scoring[name], self._dispatchers[name]
        self._scoring[scorer.serving_name] = route.name
        alone = replace(route, serving_name=scorer.serving_name, place=scorer.place)
        dispatcher = self.dispatcher(scorer.serving_name)
        return dispatcher.predict(alone, instances, wait, call.request_id, call.lane)
