"""HTTP interfaces of other services: the registry for routes and workers, annotation for the count of probes."""

from urllib.parse import quote
from uuid import UUID

from dynabench_common.http.client import JsonClient, UpstreamError

from gateway.domain.errors import ModelInTheLoop
from gateway.domain.routes import RouteTable, WorkerKind, read_routes

IN_THE_LOOP = "/problems/target-in-the-loop"
REGISTRY = "/api/registry/v1"


class HttpProbeCounter:
    """A counter of probes that reports to annotation over HTTP."""

    def __init__(self, client: JsonClient) -> None:
        self._client = client

    def count(self, name: str, person_id: str, texts: int, *, also_in_the_loop: bool) -> None:
        """Count the texts for which a person saw a model's answers. Raises ModelInTheLoop, UpstreamError."""
        path = f"/api/annotation/v1/targets/{quote(name, safe='')}/probes"
        body = {"person_id": person_id, "texts": texts, "also_in_the_loop": also_in_the_loop}
        try:
            self._client.call("POST", path, body)
        except UpstreamError as err:
            if isinstance(err.body, dict) and err.body.get("type") == IN_THE_LOOP:
                raise ModelInTheLoop(name) from err
            raise


class HttpRegistry:
    """Asks the registry over HTTP, for one process `among` several that share the limits of models."""

    def __init__(self, client: JsonClient, among: int = 1) -> None:
        self._client = client
        self._among = among

    def routes(self) -> RouteTable:
        """Return the table of models. Raises UpstreamError; KeyError, TypeError, ValueError for odd records."""
        return read_routes(self._client.call("GET", f"{REGISTRY}/models")["models"], self._among)

    def start(self, name: str, kind: WorkerKind, evaluation: UUID | None = None) -> None:
        """Ask for workers. Raises UpstreamError."""
        workers = kind.value if evaluation is None else f"scorers/{evaluation}"
        self._client.call("POST", f"{REGISTRY}/models/{quote(name, safe='')}/{workers}", {})
