"""Rounds in draft, open or paused that have a model among their targets."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True)
class LoopRound:
    """A round in draft, open or paused with a model among its targets.

    `task_slug` and `number` are None for a round that was drafted before the registry kept them.
    """

    round_id: UUID
    state: str
    task_slug: str | None
    number: int | None

    @property
    def name(self) -> str:
        """Return what people call it."""
        if self.task_slug is None or self.number is None:
            return f"round {self.round_id}"
        return f"round {self.number} of {self.task_slug}"
