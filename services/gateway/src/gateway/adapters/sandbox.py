"""Models with untrusted code: each in its own sandbox, behind a unix socket or a pod address of its own.

The gateway sends nothing that the model could misuse: no key, and only the instances of a request. It treats every
answer as hostile until it is checked.
"""

import json
from collections.abc import Sequence
from urllib.parse import quote

from gateway.adapters.connections import (
    AnswerTimedOut,
    ConnectionFailed,
    Connections,
    HttpAnswer,
    strangers_connections,
)
from gateway.domain.answers import checked_entries, unusable
from gateway.domain.errors import CallFailed, Fault
from gateway.domain.requests import Instance
from gateway.domain.routes import Place, Route, RouteTable
from gateway.service_layer.ports import BatchAnswer, Predictor

CONNECTIONS = 8
"""Idle connections kept to a sandbox."""


class Sandbox:
    """The model server of one model."""

    def __init__(self, connections: Connections, route: Route) -> None:
        self._connections = connections
        self._route = route

    def predict(
        self,
        serving_name: str,
        instances: Sequence[Instance],
        *,
        timeout_seconds: float,
        request_id: str,  # noqa: ARG002 (of the callers, and no stranger's business)
    ) -> BatchAnswer:
        """Return an entry per instance, checked. Raises CallFailed."""
        data = json.dumps({"instances": instances}).encode()
        path = f"/predictions/{quote(serving_name, safe='')}"
        try:
            answer = self._connections.post(path, {}, data, timeout_seconds)
        except AnswerTimedOut as err:
            raise CallFailed(Fault.TIMED_OUT, str(err)) from err
        except ConnectionFailed as err:
            raise CallFailed(Fault.AWAY, str(err)) from err
        if answer.status != 200:
            fault = Fault.NOT_SERVED if answer.status == 404 else Fault.BATCH_FAILED
            raise CallFailed(fault, f"status {answer.status}")
        try:
            entries = checked_entries(self._route, instances, _decoded(answer))
        except CallFailed as err:
            if len(instances) > 1:
                raise
            entries = [unusable(err.detail)]
        return BatchAnswer(entries, self._route.model_digest, self._route.handler_digest)


class ServersByPlace:
    """The model server of each route: the shared one, or the sandbox at the route's place."""

    def __init__(self, shared: Predictor) -> None:
        self._shared = shared
        self._connections: dict[Place, Connections] = {}

    def at(self, route: Route) -> Predictor:
        """Return the server that answers predictions of a route."""
        if route.place is None:
            return self._shared
        connections = self._connections.get(route.place)
        if connections is None:
            connections = self._connections[route.place] = strangers_connections(route.place, CONNECTIONS)
        return Sandbox(connections, route)

    def keep_only(self, table: RouteTable) -> None:
        """Close connections to places that no route has any more."""
        places = {route.place for route in table.values()}
        places |= {scorer.place for route in table.values() for scorer in route.scorers or ()}
        for place in [place for place in self._connections if place not in places]:
            self._connections.pop(place).close()


def _decoded(answer: HttpAnswer) -> object:
    try:
        return json.loads(answer.body)
    except (ValueError, RecursionError) as err:
        raise CallFailed(Fault.UNREADABLE, "the answer is no JSON") from err
