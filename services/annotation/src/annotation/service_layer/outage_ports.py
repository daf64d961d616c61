"""Ports of the handlers to reports of targets that stopped answering."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from annotation.domain.identifiers import RoundId


@dataclass(frozen=True)
class FailingTarget:
    """A target that has stopped answering, and the open rounds that have it in the loop."""

    target: str
    since: datetime
    reason: str
    round_ids: tuple[RoundId, ...]


class Outages(Protocol):
    """Targets that have stopped answering."""

    def in_open_rounds(self) -> list[FailingTarget]:
        """Return those that are targets of open rounds, each with its rounds."""

    def is_failing(self, target: str) -> bool:
        """Tell whether the newest that was told of a target is that it has stopped answering."""
