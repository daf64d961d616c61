"""Results about what waits for an owner's decision."""

from datetime import datetime
from typing import Any

from dynabench_tasks.values import Value
from pydantic import Field

from dynabench_client.results.base import Result


class OptionCount(Result):
    """How many votes an option has, as its value text."""

    option: str = ""
    count: int = 0


class Posterior(Result):
    """The label that the votes make likeliest, weighed by how well each voter votes, and how likely it is."""

    label: str = ""
    p: float | None = None


class WorkItem(Result):
    """An example that waits for its owner, and the `kinds` of reason for it."""

    example_id: str
    context: dict[str, Any] = Field(default_factory=dict)
    input: dict[str, Any] = Field(default_factory=dict)
    claimed: Value | None = None
    resolution: str | None = None
    kinds: tuple[str, ...] = ()
    votes: tuple[OptionCount, ...] = ()
    posterior: Posterior | None = None
    appealed_at: datetime | None = None
    oldest_at: datetime | None = None


class WorkCounts(Result):
    """What waits in a round: for its owner by kind, and for votes (`pending`)."""

    disputed: int = 0
    flagged: int = 0
    appealed: int = 0
    low_posterior: int = 0
    pending: int = 0
    oldest_pending_at: datetime | None = None
    leases_out: int = 0


class Requeued(Result):
    """How many examples wait for new votes."""

    requeued: int = 0
