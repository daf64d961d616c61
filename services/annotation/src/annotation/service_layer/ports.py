"""Ports to other services, as protocols; `adapters` has the clients, and tests have doubles."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from annotation.domain.target import Prediction, Proposal, TargetDescription


class TargetGateway(Protocol):
    """Speaks with the served models."""

    def describe_all(self) -> Sequence[TargetDescription]:
        """Return the served models, by name. Raises GatewayUnavailable."""

    def describe(self, target: str) -> TargetDescription:
        """Return a served model. Raises TargetUnknown, GatewayUnavailable."""

    def predict(self, target: str, instance: Mapping[str, str], timeout_seconds: float) -> Prediction:
        """Return an answer. Raises PredictionFailed, TargetRefusesInput."""

    def explain(
        self, target: str, instance: Mapping[str, Any], label: str | None, n_steps: int | None
    ) -> Mapping[str, Any]:
        """Return token attributions. Raises InspectionUnavailable, TargetUnknown, TargetRefusesInput."""


class Board(Protocol):
    """The ranking of models."""

    def propose(self, slug: str, targets: int) -> Proposal:
        """Return the board's proposals for a task. Raises BoardUnavailable."""
