"""Predictions: find the model, check the request, send it down the model's lane."""

from collections.abc import Callable

from gateway.domain.deadline import Call, patience
from gateway.domain.requests import prediction_instances
from gateway.domain.routes import Route, WorkerKind
from gateway.service_layer.lane import Lane
from gateway.service_layer.ports import Answer
from gateway.service_layer.workers import Workers


class Predictions:
    """Answers `:predict`. Lanes are made at a model's first use and kept."""

    def __init__(self, new_lane: Callable[[], Lane], workers: Workers, deadline_milliseconds: int) -> None:
        self._new_lane = new_lane
        self._workers = workers
        self._deadline_milliseconds = deadline_milliseconds
        self._lanes: dict[str, Lane] = {}

    def lane(self, name: str) -> Lane:
        """Return the model's lane."""
        lane = self._lanes.get(name)
        if lane is None:
            lane = self._lanes[name] = self._new_lane()
        return lane

    def predict(self, route: Route, body: object, call: Call) -> Answer:
        """Return an entry per instance of the request's decoded body.

        Raises RequestRefused, TooManyInFlight or Unavailable; UnknownModel when the model goes meanwhile.
        """
        wait = patience(call.deadline_header, self._deadline_milliseconds, route.response_timeout_seconds)
        instances = prediction_instances(body, route.fields, route.max_characters)
        if route.is_on_demand or not route.is_ready:
            route = self._workers.running(route, WorkerKind.PREDICTOR, call.wait_seconds)
        return self.lane(route.name).predict(route, instances, wait, call.request_id)
