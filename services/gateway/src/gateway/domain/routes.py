"""The served models as the gateway knows them: a table that is replaced as a whole, never changed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

READY = "ready"
FAILED = "failed"
STOPPED = "stopped"


@dataclass(frozen=True)
class ExplainRoute:
    """Where a model's explanations are made; `state` is stopped, starting, ready or failed."""

    serving_name: str
    state: str
    max_in_flight: int
    max_characters: int
    response_timeout_seconds: float
    reason: str | None = None


@dataclass(frozen=True)
class Route:
    """A served model; `state` is deploying, ready or failed."""

    name: str
    version: str
    task: str
    task_type: str
    labels: tuple[str, ...]
    model_digest: str
    handler_digest: str
    state: str
    serving_name: str
    workers: int
    max_in_flight: int
    max_characters: int
    response_timeout_seconds: float
    explain: ExplainRoute | None = None
    reason: str | None = None

    @property
    def is_ready(self) -> bool:
        """Tell whether the model answers predictions."""
        return self.state == READY


RouteTable = Mapping[str, Route]


def read_routes(models: Iterable[Mapping[str, Any]]) -> RouteTable:
    """Return the table that the registry's records describe.

    Raises KeyError, TypeError or ValueError for a record that lacks something.
    """
    routes = [_read_route(record) for record in models]
    return {route.name: route for route in routes}


def _read_route(record: Mapping[str, Any]) -> Route:
    timeout = float(record["response_timeout_seconds"])
    explain = record.get("explain")
    return Route(
        name=str(record["name"]),
        version=str(record["version"]),
        task=str(record["task"]),
        task_type=str(record["task_type"]),
        labels=tuple(str(label) for label in record["labels"]),
        model_digest=str(record["model_digest"]),
        handler_digest=str(record["handler_digest"]),
        state=str(record["state"]),
        serving_name=str(record["serving_name"]),
        workers=int(record["workers"]),
        max_in_flight=int(record["max_in_flight"]),
        max_characters=int(record["max_characters"]),
        response_timeout_seconds=timeout,
        explain=_read_explain(explain, timeout) if explain else None,
        reason=record.get("reason"),
    )


def _read_explain(record: Mapping[str, Any], timeout: float) -> ExplainRoute:
    return ExplainRoute(
        serving_name=str(record["serving_name"]),
        state=str(record["state"]),
        max_in_flight=int(record["max_in_flight"]),
        max_characters=int(record["max_characters"]),
        response_timeout_seconds=float(record.get("response_timeout_seconds", timeout)),
        reason=record.get("reason"),
    )
