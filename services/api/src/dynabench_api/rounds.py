"""State changes of rounds, their collection, and imports."""

from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, Field

from dynabench_api.base import Id, Record, words


class ConsequenceAnswer(Record):
    """One consequence of a state change."""

    text: str
    count: int | None = Field(description="Number of affected things; null if nothing is counted")


class BlockerAnswer(Record):
    """A reason why the round's state cannot change."""

    text: str
    remedy: str


class PreviewAnswer(Record):
    """The consequences of a round's state change."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    from_state: str = Field(alias="from", description="The current state")
    to: str
    allowed: bool
    consequences: tuple[ConsequenceAnswer, ...]
    blockers: tuple[BlockerAnswer, ...]


class NearDuplicatesAnswer(Record):
    """The share of the newest examples that have near duplicates."""

    examples: int = Field(description="Number of examples compared")
    share: float | None = Field(description="0 to 1; null without examples")


class CollectionAnswer(Record):
    """Current counts of a round's contexts, people and tries."""

    round_id: Id
    contexts: int
    contexts_used: int = Field(description="Contexts that were assigned to people, without withdrawn ones")
    contexts_withdrawn: int
    contexts_flagged: int = Field(description="Contexts that at least one person reported")
    people: int = Field(description="Number of people with an assigned context")
    near_duplicates: NearDuplicatesAnswer
    tries: int = Field(description="Number of tries, including retracted ones")
    unexplained_fooling: int = Field(
        description="Fooling tries without the author's explanation, without retracted ones"
    )


class LostTargetAnswer(Record):
    """A target that stopped answering while the round was open."""

    target: str
    paused: bool = Field(description="True if the platform paused the round, because it needs this target")
    failing_since: datetime
    reason: str = Field(description="Reason for the missing answers, if known; may be empty")
    lost_at: datetime


class LostTargetsAnswer(Record):
    """The targets that a round lost, the newest first."""

    items: tuple[LostTargetAnswer, ...]


class ImportAnswer(Record):
    """The round of an imported collection. `records` is the number of stored records."""

    round_id: Id
    task_slug: str
    number: int
    source: str
    origin: Annotated[str, words("imported", "harvested")]
    targets: tuple[str, ...]
    state: str
    records: int


class TakenAnswer(Record):
    """Counts of stored records, of repeated lines, and of the stored records' votes."""

    stored: int
    repeated: int
    votes: int


class HarvestAnswer(Record):
    """Counts of lines read, stored, repeated, answered wrong, and answered with low confidence."""

    seen: int
    stored: int
    repeated: int
    wrong: int
    unsure: int
