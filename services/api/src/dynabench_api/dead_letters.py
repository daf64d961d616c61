"""Events that a service could not apply."""

from datetime import datetime

from pydantic import Field

from dynabench_api.base import Record


class DeadLettersOfTopic(Record):
    """The number of a topic's events that a consumer gave up or the relay could not send, with the newest reason."""

    topic: str
    consumer: str = Field(description="`relay` stands for events that could not be sent")
    count: int
    newest_at: datetime
    newest_reason: str


class HeldPartition(Record):
    """A partition in which a consumer does not get on: it tries again and again, and what comes later waits."""

    consumer: str
    topic: str
    partition: int
    position: int
    reason: str
    held_since: datetime
    attempts: int


class DeadLettersAnswer(Record):
    """Events that a service's consumers gave up or its relay could not send, and partitions that wait."""

    items: tuple[DeadLettersOfTopic, ...] = Field(description="By topic; none is the sound state")
    held: tuple[HeldPartition, ...] = Field(description="None is the sound state")


class DeadLetterRecord(Record):
    """A record that was set aside."""

    record_id: str
    consumer: str
    topic: str
    type: str = Field(description="The event's type, where it could not be sent; else empty")
    reason: str
    failed_at: datetime
    attempts: int
    held_back: int = Field(description="Later events of its aggregate that wait behind it")
    is_requested: bool = Field(description="Whether somebody asked for it to be taken in again")
    is_kept: bool = Field(description="Whether it can be: what older versions set aside needs a rebuild")


class DeadLetterRecords(Record):
    """Records that were set aside."""

    items: tuple[DeadLetterRecord, ...]


class DeadLetterDecision(Record):
    """The decision on a record."""

    record_id: str
    decision: str
