"""Ports of the gateway to other services and processes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from gateway.domain.coalescer import Lane
from gateway.domain.requests import Instance
from gateway.domain.routes import RouteTable, WorkerKind


@dataclass(frozen=True)
class BatchAnswer:
    """One entry per instance, and the digests of what made them."""

    entries: list[Any]
    model_digest: str
    handler_digest: str


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


class ProbeCounter(Protocol):
    """Counts what people find out about models that others try to fool. Raises UpstreamError."""

    def count(self, name: str, person_id: str, texts: int, *, also_in_the_loop: bool) -> None:
        """Count that a person was told what a model answers on as many texts.

        Raises ModelInTheLoop where the model is a target of a round in progress, unless `also_in_the_loop`.
        """


class Registry(Protocol):
    """The source of the served models. Methods raise UpstreamError when it does not answer."""

    def routes(self) -> RouteTable:
        """Return the table of models."""

    def start(self, name: str, kind: WorkerKind, evaluation: UUID | None = None) -> None:
        """Ask for a model's workers of a kind, or say that they are still used; a scorer is for one evaluation."""


class PredictionWatch(Protocol):
    """An observer of the outcome of each call for predictions of a served model."""

    def ended(self, model: str, lane: Lane, result: str, seconds: float) -> None:
        """Note `answered`, `refused`, `busy`, `unavailable` or `failed`."""
