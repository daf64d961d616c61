"""Events that a service could not apply."""

from datetime import datetime

from pydantic import Field

from dynabench_api.base import Record


class DeadLettersOfTopic(Record):
    """Dead letters of a topic: events that a consumer could not apply or the relay could not send."""

    topic: str
    consumer: str = Field(description="Name of the consumer; `relay` for events that could not be sent")
    count: int
    newest_at: datetime
    newest_reason: str


class HeldPartition(Record):
    """A blocked partition. The consumer keeps retrying one event, and later events wait."""

    consumer: str
    topic: str
    partition: int
    position: int
    reason: str
    held_since: datetime
    attempts: int


class DeadLettersAnswer(Record):
    """A service's dead letters and blocked partitions."""

    items: tuple[DeadLettersOfTopic, ...] = Field(description="Dead letters by topic; empty if all is well")
    held: tuple[HeldPartition, ...] = Field(description="Blocked partitions; empty if all is well")


class DeadLetterRecord(Record):
    """A dead letter."""

    record_id: str
    consumer: str
    topic: str
    type: str = Field(description="Type of the event, if it could not be sent; else empty")
    reason: str
    failed_at: datetime
    attempts: int
    held_back: int = Field(description="Number of later events of the same aggregate that wait for this one")
    is_requested: bool = Field(description="True if a retry was requested")
    is_kept: bool = Field(description="True if a retry is possible. If false, rebuild the read model instead")


class DeadLetterRecords(Record):
    """A list of dead letters."""

    items: tuple[DeadLetterRecord, ...]


class DeadLetterDecision(Record):
    """The decision on a dead letter."""

    record_id: str
    decision: str
