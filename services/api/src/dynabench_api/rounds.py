"""The life of rounds: moves, collection, and collections from elsewhere."""

from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, Field

from dynabench_api.base import Id, Record, words


class ConsequenceAnswer(Record):
    """One thing that would happen."""

    text: str
    count: int | None = Field(description="To how many; null where nothing is counted")


class BlockerAnswer(Record):
    """Why the round can't be moved."""

    text: str
    remedy: str


class PreviewAnswer(Record):
    """The consequences of another state of a round."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    from_state: str = Field(alias="from", description="The state that it is in")
    to: str
    allowed: bool
    consequences: tuple[ConsequenceAnswer, ...]
    blockers: tuple[BlockerAnswer, ...]


class NearDuplicatesAnswer(Record):
    """The share of the newest examples that have near duplicates."""

    examples: int = Field(description="How many were looked at")
    share: float | None = Field(description="0 to 1; null without examples")


class CollectionAnswer(Record):
    """Counts of a round's contexts, people and tries so far."""

    round_id: Id
    contexts: int
    contexts_used: int = Field(description="Those that people got, withdrawn ones left out")
    contexts_withdrawn: int
    contexts_flagged: int = Field(description="Reported by at least one person")
    people: int = Field(description="People who got a context")
    near_duplicates: NearDuplicatesAnswer
    tries: int = Field(description="Retracted ones too")
    unexplained_fooling: int = Field(description="Fooling tries whose author does not say why, not retracted")


class LostTargetAnswer(Record):
    """A target that stopped answering while the round was open."""

    target: str
    paused: bool = Field(description="Whether the round was paused, since it can't do without it")
    failing_since: datetime
    reason: str = Field(description="Why it did not answer, as far as known; may be empty")
    lost_at: datetime


class LostTargetsAnswer(Record):
    """The targets that a round lost, the newest first."""

    items: tuple[LostTargetAnswer, ...]


class ImportAnswer(Record):
    """The round that takes in a collection; `records` counts those that are stored."""

    round_id: Id
    task_slug: str
    number: int
    source: str
    origin: Annotated[str, words("imported", "harvested")]
    targets: tuple[str, ...]
    state: str
    records: int


class TakenAnswer(Record):
    """Records stored, lines that repeat what is known, and votes of the records stored."""

    stored: int
    repeated: int
    votes: int


class HarvestAnswer(Record):
    """Lines seen; of them stored, known before, answered wrong, and answered without being sure."""

    seen: int
    stored: int
    repeated: int
    wrong: int
    unsure: int
