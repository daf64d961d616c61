"""The model server of each route: the shared one, or the sandbox at the route's place."""

from gateway.adapters.connections import Connections, strangers_connections
from gateway.adapters.sandbox import Sandbox
from gateway.domain.routes import Place, Route, RouteTable
from gateway.service_layer.ports import Predictor

CONNECTIONS = 8
"""Idle connections kept to a sandbox."""


class ServersByPlace:
    """Keeps the connections to the places that routes have."""

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
