"""The gateway's table of served models, which is replaced as a whole, never changed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address
from typing import Any, TypeAlias
from urllib.parse import urlsplit
from uuid import UUID

from gateway.domain.errors import NotExplainable

READY = "ready"
STARTING = "starting"
FAILED = "failed"
ON_DEMAND = "on_demand"
WITH_PREDICTIONS = "with_predictions"
EXTRACTIVE_QA = "extractive-qa"
MULTILABEL = "multilabel-classification"
SOCKET = "unix:"
# The two explainable parts of an answer in a passage: its start and its end.
SIDES = ("start", "end")


Place: TypeAlias = str | tuple[str, int]
"""The address of a sandbox: the path of a unix socket, or an IP address and a port."""


class WorkerKind(StrEnum):
    """The purpose of a model's workers; each kind starts and stops separately."""

    PREDICTOR = "predictor"
    EXPLAINER = "explainer"
    SCORER = "scorer"


@dataclass(frozen=True)
class ExplainRoute:
    """The place of a model's explanations; `state` is stopped, starting, ready or failed.

    `start` is always, on_demand, or with_predictions: kept warm while the model is asked for predictions.
    """

    serving_name: str
    state: str
    max_in_flight: int
    max_characters: int
    response_timeout_seconds: float
    reason: str | None = None
    start: str = ON_DEMAND


@dataclass(frozen=True)
class ScorerRoute:
    """The sandbox that answers one evaluation of a model, and nothing else."""

    serving_name: str
    state: str
    reason: str | None
    place: Place | None


@dataclass(frozen=True)
class Route:
    """A served model; `state` is stopped, starting, ready or failed.

    `fields` are the texts of its instances, `start` is always or on_demand. `place` is the address of a model with
    untrusted code, served alone; None for the shared TorchServe. If not `published`, only its submitter and the owners
    of its task may use it; if `private`, only people who see its task; if not `accepted`, only the registry's checks.
    `scorers` are None for a model without state between requests.
    """

    name: str
    version: str
    task: str
    task_type: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    model_digest: str
    handler_digest: str
    state: str
    serving_name: str
    workers: int
    start: str
    max_in_flight: int
    max_characters: int
    response_timeout_seconds: float
    explain: ExplainRoute | None = None
    reason: str | None = None
    place: Place | None = None
    submitted_by: str | None = None
    published: bool = True
    private: bool = False
    worker_peak_bytes: int | None = None
    accepted: bool = True
    scorers: tuple[ScorerRoute, ...] | None = None

    def scorer(self, evaluation: UUID) -> ScorerRoute:
        """Return the sandbox that answers an evaluation, to be started if there is none."""
        name = f"{self.serving_name}-score-{evaluation.hex}"
        found = (each for each in self.scorers or () if each.serving_name == name)
        return next(found, ScorerRoute(name, STARTING, None, None))

    @property
    def is_ready(self) -> bool:
        """Return whether the model answers predictions."""
        return self.state == READY

    @property
    def is_on_demand(self) -> bool:
        """Return whether its prediction workers stop when unused."""
        return self.start == ON_DEMAND

    @property
    def warms_explainer(self) -> bool:
        """Return whether a prediction keeps its explainer running."""
        return self.explain is not None and self.explain.start == WITH_PREDICTIONS

    @property
    def explainer(self) -> ExplainRoute:
        """Return the place of its explanations. Raises NotExplainable."""
        if self.explain is None:
            raise NotExplainable(self.name)
        return self.explain

    @property
    def marks_passage(self) -> bool:
        """Return whether its answers are slices of its first text."""
        return self.task_type == EXTRACTIVE_QA

    @property
    def explainable(self) -> tuple[str, ...]:
        """Return the allowed values of an explanation's `label`."""
        return SIDES if self.marks_passage else self.labels


RouteTable = Mapping[str, Route]


def read_routes(models: Iterable[Mapping[str, Any]], among: int = 1) -> RouteTable:
    """Return the table that the registry's records describe; each limit is the share of one process `among` several.

    Raises KeyError, TypeError or ValueError for a record that lacks something.
    """
    routes = [_read_route(record, among) for record in models]
    return {route.name: route for route in routes}


def _read_route(record: Mapping[str, Any], among: int) -> Route:
    timeout = float(record["response_timeout_seconds"])
    explain = record.get("explain")
    return Route(
        name=str(record["name"]),
        version=str(record["version"]),
        task=str(record["task"]),
        task_type=str(record["task_type"]),
        fields=tuple(str(field) for field in record["fields"]),
        labels=tuple(str(label) for label in record["labels"]),
        model_digest=str(record["model_digest"]),
        handler_digest=str(record["handler_digest"]),
        state=str(record["state"]),
        serving_name=str(record["serving_name"]),
        workers=int(record["workers"]),
        start=str(record["start"]),
        max_in_flight=share_of(int(record["max_in_flight"]), among),
        max_characters=int(record["max_characters"]),
        response_timeout_seconds=timeout,
        explain=_read_explain(explain, timeout, among) if explain else None,
        reason=record.get("reason"),
        place=_read_place(record.get("address")),
        submitted_by=record.get("submitted_by"),
        published=bool(record["published"]),
        private=bool(record.get("private")),
        worker_peak_bytes=record.get("worker_peak_bytes"),
        accepted=bool(record.get("accepted", True)),
        scorers=_read_scorers(record.get("scorers")),
    )


def _read_scorers(records: Iterable[Mapping[str, Any]] | None) -> tuple[ScorerRoute, ...] | None:
    if records is None:
        return None
    return tuple(
        ScorerRoute(
            str(record["serving_name"]),
            str(record["state"]),
            record.get("reason"),
            _read_place(record.get("address")),
        )
        for record in records
    )


def _read_place(address: object) -> Place | None:
    """Read `unix:/path` or `http://IP:PORT`. Names are refused: their addresses are controlled by others."""
    if address is None:
        return None
    if isinstance(address, str) and address.startswith(f"{SOCKET}/"):
        return address.removeprefix(SOCKET)
    try:
        parts = urlsplit(str(address))
        if parts.scheme == "http" and parts.port and not (parts.path or parts.query or parts.username):
            return str(ip_address(str(parts.hostname))), parts.port
    except ValueError:
        pass
    raise ValueError(f"the address {address!r} is none that the gateway can reach")


def _read_explain(record: Mapping[str, Any], timeout: float, among: int) -> ExplainRoute:
    return ExplainRoute(
        serving_name=str(record["serving_name"]),
        state=str(record["state"]),
        max_in_flight=share_of(int(record["max_in_flight"]), among),
        max_characters=int(record["max_characters"]),
        response_timeout_seconds=float(record.get("response_timeout_seconds", timeout)),
        reason=record.get("reason"),
        start=str(record.get("start", ON_DEMAND)),
    )


def share_of(limit: int, among: int) -> int:
    """Return a process's share of a limit: the shares add up to the limit, but each is at least one."""
    return max(limit // among, 1)


def share_of_workers(workers: int, among: int) -> int:
    """Return the number of workers that a process may call at once.

    The shares cover all workers, so that none is idle.
    """
    return max(-(-workers // among), 1)
