"""Outbox rows of events, made from their records."""

from dynabench_events import EventRecord, Versioned, encode

from dynabench_common.events.outbox import OutboxMessage, message_for


def outbox_message(event: Versioned[EventRecord]) -> OutboxMessage:
    """Return an event as the outbox stores it."""
    record = event.record
    return message_for(record.topic, encode(record), record.aggregate_id, event.version, record.occurred_at)
