"""What the reconciler needs from outside."""

from collections.abc import Mapping
from typing import Protocol

from registry.domain.declarations import Declared
from registry.domain.serving import Archive, Registration, Served


class ModelServerAway(Exception):
    """TorchServe does not answer, or not with our key."""


class ModelServerRefused(Exception):
    """TorchServe answered that it can't do it; `status` is None where it did not answer in time."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


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


class Declarations(Protocol):
    """What is written down about models."""

    def models(self) -> tuple[Declared, ...]:
        """Return the last good declarations."""

    def problem(self) -> str | None:
        """Return why the file as it is now can't be used, if it can't."""

    def archive(self, declared: Declared) -> Archive | str:
        """Return the model's archive, or the reason why it can't be used."""
