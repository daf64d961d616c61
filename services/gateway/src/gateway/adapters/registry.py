"""The registry's HTTP interface."""

from urllib.parse import quote
from uuid import UUID

from dynabench_common.http.client import JsonClient

from gateway.domain.routes import RouteTable, WorkerKind, read_routes

PREFIX = "/api/registry/v1"


class HttpRegistry:
    """Asks the registry over HTTP, for one process `among` several that share the limits of models."""

    def __init__(self, client: JsonClient, among: int = 1) -> None:
        self._client = client
        self._among = among

    def routes(self) -> RouteTable:
        """Return the table of models. Raises UpstreamError; KeyError, TypeError, ValueError for odd records."""
        return read_routes(self._client.call("GET", f"{PREFIX}/models")["models"], self._among)

    def start(self, name: str, kind: WorkerKind, evaluation: UUID | None = None) -> None:
        """Ask for workers. Raises UpstreamError."""
        workers = kind.value if evaluation is None else f"scorers/{evaluation}"
        self._client.call("POST", f"{PREFIX}/models/{quote(name, safe='')}/{workers}", {})
