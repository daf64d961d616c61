"""Results about the life of a round: how it was collected, brought in, and what a step would do to it."""

from pydantic import Field

from dynabench_client.results.base import Result


class NearDuplicates(Result):
    """The share of the newest examples that read almost like another one; `examples` were looked at."""

    examples: int = 0
    share: float | None = None


class Collection(Result):
    """How the collection of a round goes; `unexplained_fooling` are fooling tries without a reason."""

    round_id: str = ""
    contexts: int = 0
    contexts_used: int = 0
    contexts_withdrawn: int = 0
    contexts_flagged: int = 0
    people: int = 0
    near_duplicates: NearDuplicates = NearDuplicates()
    tries: int = 0
    unexplained_fooling: int = 0


class Consequence(Result):
    """What a step would bring with it, and for how many."""

    text: str = ""
    count: int | None = None


class Blocker(Result):
    """What stands in the way of a step, and what to do about it."""

    kind: str = ""
    text: str = ""
    remedy: str = ""


class StatePreview(Result):
    """What moving a round to another state would do; nothing has happened yet."""

    from_state: str | None = Field(default=None, alias="from")
    to: str = ""
    allowed: bool = False
    consequences: tuple[Consequence, ...] = ()
    blockers: tuple[Blocker, ...] = ()


class Import(Result):
    """A round that was collected elsewhere, by the `source` it came from; `records` are stored so far."""

    round_id: str
    task_slug: str = ""
    number: int = 0
    source: str = ""
    origin: str = ""
    targets: tuple[str, ...] = ()
    state: str = ""
    records: int = 0


class RecordsStored(Result):
    """What became of a batch of records; `repeated` were stored before with the same content."""

    stored: int = 0
    repeated: int = 0
    votes: int = 0


class Harvested(Result):
    """What became of a batch of texts; those that no target got `wrong` or was `unsure` of were not stored."""

    seen: int = 0
    stored: int = 0
    repeated: int = 0
    wrong: int = 0
    unsure: int = 0
