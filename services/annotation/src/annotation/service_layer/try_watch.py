"""Observers of the outcomes of tries: people's, and synthetic ones."""

from enum import StrEnum
from typing import Protocol


class Origin(StrEnum):
    """The maker of a try: a person, or the platform, which stores nothing of it."""

    PERSON = "person"
    SYNTHETIC = "synthetic"


class TryWatch(Protocol):
    """An observer of how each try ended once its targets are asked."""

    def ended(self, task_slug: str, origin: Origin, result: str, seconds: float) -> None:
        """Note a verdict, or `undecidable` (too few targets answered), `refused` or `failed`."""


class Unwatched:
    """An observer that does nothing."""

    def ended(self, task_slug: str, origin: Origin, result: str, seconds: float) -> None:
        """Do nothing."""
