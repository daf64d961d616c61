"""Ports of the checks: the interfaces to other systems."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID


class ArchiveSource(Protocol):
    """Archives as they were sent."""

    def read(self, key: str) -> Iterator[bytes]:
        """Yield an archive piece by piece. Raises ObjectsUnavailable."""


@dataclass(frozen=True)
class Seen:
    """Last observation of a model by the reconciler; `state` is stopped, starting, ready or failed."""

    state: str
    reason: str | None


class Serving(Protocol):
    """Served models, as the reconciler saw them."""

    def seen(self, name: str) -> Seen | None:
        """Return what was seen of a model, None before it was looked at."""

    def ask_for(self, name: str) -> None:
        """Note that somebody needs the model's workers now."""


Printed = Callable[[str], Sequence[str]]
"""Returns the last lines that a model's program printed in its sandbox, none where there are none to be had."""


class PlatformBusy(Exception):
    """A part of the platform does not answer; it is worth trying again."""


class Predictor(Protocol):
    """The gateway."""

    def predict(
        self, name: str, instances: Sequence[Mapping[str, str]], wait_seconds: int
    ) -> tuple[int, Mapping[str, Any]]:
        """Return status and body of the answer. Raises PlatformBusy."""


class EntryTexts(Protocol):
    """Texts of archives' entries, kept for who decides on them."""

    def keep(self, submission_id: UUID, texts: Mapping[str, str]) -> None:
        """Replace what is kept of an archive."""
