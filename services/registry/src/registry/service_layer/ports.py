"""Ports of the reconciler and the checks: the interfaces to other systems."""

from collections.abc import Mapping, Sequence
from typing import Protocol
from uuid import UUID

from registry.domain.building import BuildOrder, BuildStatus
from registry.domain.served_model import ServedModel
from registry.domain.serving import Registration, Served
from registry.service_layer.catalogue import ModelRecord


class ModelServerAway(Exception):
    """TorchServe does not answer, or not with our key."""


class ModelServerRefused(Exception):
    """TorchServe answered that it can't do it; `status` is None where it did not answer in time."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class ArchiveOnItsWay(ModelServerRefused):
    """The archive, or what it is to be served in, is on its way; ask again. The message says how far it is."""


class PoolAbsent(ModelServerRefused):
    """There is no such pool on this machine; the message says why."""


class AgentAway(Exception):
    """The store's agent does not answer, or can't do what is asked now; the message says why."""


class Builder(Protocol):
    """Builds the archives that are served, a few at a time; raises AgentAway."""

    def start(self, order: BuildOrder) -> None:
        """Have an archive built; asking again for one that is built or being built changes nothing."""

    def status(self, submission_id: UUID) -> BuildStatus | None:
        """Return how the build stands; None if the builder knows of none, and so must be asked (again)."""

    def remove(self, submission_id: UUID, files: Sequence[str], serving_name: str | None) -> None:
        """Forget a build, end one that runs, and remove archives. Raises AgentAway, also while it still runs."""


class ModelServer(Protocol):
    """TorchServe's management and a question to its inference; raises ModelServerAway, ModelServerRefused."""

    def served(self) -> Mapping[str, Served]:
        """Return everything that is registered, by name."""

    def register(self, registration: Registration) -> None:
        """Begin to serve; workers start in the background."""

    def unregister(self, serving_name: str) -> None:
        """Stop serving."""

    def scale(self, serving_name: str, workers: int) -> None:
        """Begin to change the number of workers."""

    def probe(self, registration: Registration) -> tuple[str, str]:
        """Return the model and handler digests that a real answer carries."""


class Desired(Protocol):
    """Desired models."""

    def models(self) -> Sequence[ServedModel]:
        """Return the models that should be served, after a look at the models file."""

    def problem(self) -> str | None:
        """Return why the models file as it is now can't be used, if it can't."""


class States(Protocol):
    """Store for the reconciler's observations."""

    def publish(self, models: Sequence[ModelRecord], problem: str | None) -> None:
        """Let everybody know what the last pass saw; writes what changed."""
