"""Ports of the gateway to other services and processes."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from uuid import UUID

from gateway.domain.answers import BatchAnswer
from gateway.domain.requests import Instance
from gateway.domain.routes import RouteTable, WorkerKind


class Predictor(Protocol):
    """Runs models for predictions. Raises CallFailed when there is no usable answer."""

    def predict(
        self, serving_name: str, instances: Sequence[Instance], *, timeout_seconds: float, request_id: str
    ) -> BatchAnswer:
        """Return a prediction, or an error entry, per instance."""


class ModelServer(Predictor, Protocol):
    """Runs models for explanations too. Every method raises CallFailed when there is no usable answer."""

    def explain(
        self,
        serving_name: str,
        instance: Instance,
        parameters: Mapping[str, Any],
        *,
        timeout_seconds: float,
        request_id: str,
    ) -> BatchAnswer:
        """Return the explanation of one instance, or an error entry."""


class Registry(Protocol):
    """The source of the served models. Methods raise UpstreamError when it does not answer."""

    def routes(self) -> RouteTable:
        """Return the table of models."""

    def start(self, name: str, kind: WorkerKind, evaluation: UUID | None = None) -> None:
        """Request a model's workers of a kind, or report their use; a scorer is for one evaluation."""
