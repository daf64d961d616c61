"""A target: facts from the gateway, the board and the registry about a model that rounds use."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotation.domain.identifiers import RoundId

REASON = "{target} had not answered since {since:%Y-%m-%d %H:%M} UTC."


@dataclass(frozen=True)
class TargetDescription:
    """A target as the gateway describes it; `ready`: it predicts now or once asked, `published`: everybody may ask."""

    name: str
    ready: bool
    task: str
    task_type: str
    labels: tuple[str, ...]
    fields: tuple[str, ...]
    published: bool = True
    submitted_by: str | None = None


@dataclass(frozen=True)
class Prediction:
    """A target's raw answer on one instance, as the gateway gave it."""

    answer: Mapping[str, Any]
    model_digest: str
    handler_digest: str


@dataclass(frozen=True)
class Proposal:
    """Models that the next round could have as targets; `scored_rounds` are those whose items they are ranked by.

    `is_complete`: no model waits to be scored.
    """

    targets: tuple[str, ...]
    scored_rounds: frozenset[int]
    is_complete: bool


@dataclass(frozen=True)
class FailingTarget:
    """A target that has stopped answering, and the open rounds that have it in the loop."""

    target: str
    since: datetime
    reason: str
    round_ids: tuple[RoundId, ...]


@dataclass(frozen=True)
class LostTarget:
    """The loss of a target: the round went on without it, or was `paused` since it cannot do without.

    `reason` is why it did not answer, as far as the registry knows; it may be empty.
    """

    target: str
    paused: bool
    failing_since: datetime
    reason: str
    lost_at: datetime

    @property
    def words(self) -> str:
        """Return why targets, or the round's state, changed."""
        said = REASON.format(target=self.target, since=self.failing_since)
        return f"{said} The registry says: {self.reason}" if self.reason else said
