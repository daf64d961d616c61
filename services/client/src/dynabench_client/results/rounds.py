"""Results about the life of a round: how it was collected, brought in, and what a step would do to it."""

from datetime import datetime

from pydantic import Field

from dynabench_client.results.base import Result


class NearDuplicates(Result):
    """The share of the newest examples that read almost like another one; `examples` were looked at."""

    examples: int
    share: float | None


class Collection(Result):
    """How the collection of a round goes; `unexplained_fooling` are fooling tries without a reason."""

    round_id: str
    contexts: int
    contexts_used: int
    contexts_withdrawn: int
    contexts_flagged: int
    people: int
    near_duplicates: NearDuplicates
    tries: int
    unexplained_fooling: int


class LostTarget(Result):
    """A target that stopped answering; the round went on without it, or was `paused` since it can't do without."""

    target: str
    paused: bool
    failing_since: datetime
    reason: str
    lost_at: datetime


class LostTargets(Result):
    """The targets that a round lost, the newest first."""

    items: tuple[LostTarget, ...]


class Consequence(Result):
    """What a step would bring with it, and for how many."""

    text: str
    count: int | None


class Blocker(Result):
    """What stands in the way of a step, and what to do about it."""

    text: str
    remedy: str


class StatePreview(Result):
    """What moving a round to another state would do; nothing has happened yet."""

    from_state: str = Field(alias="from")
    to: str
    allowed: bool
    consequences: tuple[Consequence, ...]
    blockers: tuple[Blocker, ...]


class Import(Result):
    """A round that was collected elsewhere, by the `source` it came from; `records` are stored so far."""

    round_id: str
    task_slug: str
    number: int
    source: str
    origin: str
    targets: tuple[str, ...]
    state: str
    records: int


class RecordsStored(Result):
    """What became of a batch of records; `repeated` were stored before with the same content."""

    stored: int
    repeated: int
    votes: int


class Harvested(Result):
    """What became of a batch of texts; those that no target got `wrong` or was `unsure` of were not stored."""

    seen: int
    stored: int
    repeated: int
    wrong: int
    unsure: int
