"""Interfaces to other processes that tests stand in for."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from uuid import UUID

from scoring.domain.evaluation import LiveModel


class Models(Protocol):
    """The served models, asked as evaluations ask them: after everybody else."""

    def live(self) -> Sequence[LiveModel]:
        """Return what is served. Raises ModelAway."""

    def predict(
        self, model: LiveModel, instances: Sequence[Mapping[str, str]], apart: UUID | None = None
    ) -> Sequence[Mapping[str, Any]]:
        """Return a prediction, or an error, for each instance.

        `apart` is an evaluation whose texts a model must not answer beside others.
        Raises ModelAway, InstancesRefused, and EvaluationFailure where the model is not the one that was asked for.
        """
