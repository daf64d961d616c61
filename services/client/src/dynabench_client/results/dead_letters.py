"""Results about events that a service could not take in."""

from datetime import datetime

from dynabench_client.results.base import Result


class DeadLetters(Result):
    """How many events of a topic a consumer set aside, and why the newest one was."""

    topic: str
    consumer: str
    count: int
    newest_at: datetime
    newest_reason: str


class HeldPartition(Result):
    """A partition in which a consumer does not get on; it tries again and again, and what comes later waits."""

    consumer: str
    topic: str
    partition: int
    position: int
    reason: str
    held_since: datetime
    attempts: int


class SetAside(Result):
    """What a service set aside, by topic and consumer (`relay`: what it could not send), and what it holds."""

    items: tuple[DeadLetters, ...]
    held: tuple[HeldPartition, ...]


class DeadLetterRecord(Result):
    """A record that was set aside; `held_back` counts the later events of its aggregate that wait behind it."""

    record_id: str
    consumer: str
    topic: str
    type: str
    reason: str
    failed_at: datetime
    attempts: int
    held_back: int
    is_requested: bool
    is_kept: bool


class DeadLetterRecords(Result):
    """Records that were set aside."""

    items: tuple[DeadLetterRecord, ...]


class DeadLetterDecision(Result):
    """What was decided on a record: `requested` or `discarded`."""

    record_id: str
    decision: str
