"""Ports of the reconciler and the checks: the interfaces to other systems."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from uuid import UUID

from dynabench_archives.model_servers import BuildOrder, BuildStatus, Registration, Served

from registry.domain.catalogue import ModelRecord, Seen
from registry.domain.served_model import ServedModel


class Builder(Protocol):
    """Builds the archives that are served, a few at a time; raises AgentAway."""

    def start(self, order: BuildOrder) -> None:
        """Have an archive built; asking again for one that is built or being built changes nothing."""

    def status(self, submission_id: UUID) -> BuildStatus | None:
        """Return how the build stands; None if the builder knows of none, and so must be asked (again)."""

    def remove(self, submission_id: UUID, files: Sequence[str], serving_name: str | None) -> None:
        """Forget a build, end one that runs, and remove archives. Raises AgentAway, also while it still runs."""

    def printed(self, serving_name: str) -> Sequence[str]:
        """Return the last lines that a model's program printed in its sandbox, none where there are none to be had."""


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


class Serving(Protocol):
    """Served models, as the reconciler saw them."""

    def seen(self, name: str) -> Seen | None:
        """Return what was seen of a model, None before it was looked at."""

    def ask_for(self, name: str) -> None:
        """Note that somebody needs the model's workers now."""


class Predictor(Protocol):
    """The gateway."""

    def predict(
        self, name: str, instances: Sequence[Mapping[str, str]], wait_seconds: int
    ) -> tuple[int, Mapping[str, Any]]:
        """Return status and body of the answer. Raises PlatformBusy."""
