"""Results about what waits for an owner's decision."""

from datetime import datetime
from typing import Any

from dynabench_tasks.values import Value

from dynabench_client.results.base import Result


class OptionCount(Result):
    """How many votes an option has, as its value text."""

    option: str
    count: int


class Posterior(Result):
    """The label that the votes make likeliest, weighed by how well each voter votes, and how likely it is."""

    label: str
    p: float


class WorkItem(Result):
    """An example that waits for its owner, and the `kinds` of reason for it."""

    example_id: str
    context: dict[str, Any]
    input: dict[str, Any]
    claimed: Value | None
    resolution: str | None
    kinds: tuple[str, ...]
    votes: tuple[OptionCount, ...]
    posterior: Posterior | None
    appealed_at: datetime | None
    oldest_at: datetime


class RoundExample(Result):
    """An example of a round, for those who look after it.

    `became` is its resolution, or waiting, unasked or retracted. One that the reader may still vote on `is_hidden`:
    it seems to wait, and its claim and votes are left out, as those of a retracted one. While the reader holds
    it, or may answer otherwise, `verdict` is None.
    """

    example_id: str
    author_id: str
    created_at: datetime
    context: dict[str, Any]
    input: dict[str, Any]
    verdict: str | None
    tags: tuple[str, ...]
    is_hidden: bool
    became: str
    claimed: Value | None
    votes: tuple[OptionCount, ...]


class ExamplesWaiting(Result):
    """Which examples of a round wait: for its owner by kind, and for votes (`pending`)."""

    disputed: int
    flagged: int
    appealed: int
    low_posterior: int
    pending: int
    oldest_pending_at: datetime | None
    leases_out: int


class WorkCounts(ExamplesWaiting):
    """What waits in a round; `pause_appeals` are those of its task's validators, 0 from a platform that has none."""

    pause_appeals: int = 0


class RoundWorkCounts(ExamplesWaiting):
    """Which examples of one of several rounds wait."""

    round_id: str


class Requeued(Result):
    """How many examples wait for new votes."""

    requeued: int
