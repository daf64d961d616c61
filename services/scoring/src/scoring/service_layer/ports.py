"""Ports of the handlers: the interfaces to other systems."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID

from scoring.domain.evaluation import LiveModel


class ObjectStore(Protocol):
    """Store of datasets' files."""

    def store(self, key: str, path: Path, media_type: str) -> None:
        """Store a file, in place of what lies there. Raises ObjectsUnavailable."""

    def fetch(self, key: str, path: Path) -> None:
        """Copy a stored file to `path`. Raises ObjectsUnavailable."""


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
