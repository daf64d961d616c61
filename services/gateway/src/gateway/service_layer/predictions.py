"""Predictions: find the model, check the request, send it down the model's lane."""

from collections.abc import Callable

from gateway.domain.deadline import patience
from gateway.domain.requests import prediction_instances
from gateway.domain.routes import Route
from gateway.service_layer.lane import Lane
from gateway.service_layer.outages import not_ready
from gateway.service_layer.ports import Answer


class Predictions:
    """Answers `:predict`. Lanes are made at a model's first use and kept."""

    def __init__(self, new_lane: Callable[[], Lane], deadline_milliseconds: int) -> None:
        self._new_lane = new_lane
        self._deadline_milliseconds = deadline_milliseconds
        self._lanes: dict[str, Lane] = {}

    def lane(self, name: str) -> Lane:
        """Return the model's lane."""
        lane = self._lanes.get(name)
        if lane is None:
            lane = self._lanes[name] = self._new_lane()
        return lane

    def predict(self, route: Route, body: object, deadline_header: str | None, request_id: str) -> Answer:
        """Return an entry per instance of the request's decoded body.

        Raises RequestRefused, TooManyInFlight or Unavailable.
        """
        wait = patience(deadline_header, self._deadline_milliseconds, route.response_timeout_seconds)
        instances = prediction_instances(body, route.task_type, route.max_characters)
        if not route.is_ready:
            raise not_ready(route)
        return self.lane(route.name).predict(route, instances, wait, request_id)
