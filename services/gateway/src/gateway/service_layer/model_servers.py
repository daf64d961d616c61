"""The model server of each route: the shared one, or the route's sandbox."""

from gateway.adapters.connections import Connections, untrusted_connections
from gateway.adapters.sandbox import Sandbox
from gateway.domain.routes import Place, Route, RouteTable
from gateway.service_layer.ports import Predictor

CONNECTIONS = 8
"""Idle connections kept to a sandbox."""


class ServersByPlace:
    """Connections to the places of all routes."""

    def __init__(self, shared: Predictor) -> None:
        self._shared = shared
        self._connections: dict[Place, Connections] = {}

    def at(self, route: Route) -> Predictor:
        """Return the server that answers predictions of a route."""
        if route.place is None:
            return self._shared
        connections = self._connections.get(route.place)
        if connections is None:
            connections = self._connections[route.place] = untrusted_connections(route.place, CONNECTIONS)
        return Sandbox(connections, route)

    def keep_only(self, table: RouteTable) -> None:
        """Close connections to places without a route."""
        places = {route.place for route in table.values()}
        places |= {scorer.place for route in table.values() for scorer in route.scorers or ()}
        for place in [place for place in self._connections if place not in places]:
            self._connections.pop(place).close()
