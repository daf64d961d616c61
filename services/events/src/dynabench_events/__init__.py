"""Dynabench's events, each declared once: a typed record, and its one conversion to protobuf and back.

A producer makes records and calls `encode`. A consumer calls `recorded`, `recorded_parts` or `decode`, and works on
records. There is one module of records per topic.
"""

from dynabench_events import audit, crowd, dataset, example, model, person, score, task, validation
from dynabench_events.codec import EventRecord, PermanentEventError, decode, encode, event, message_types
from dynabench_events.history import Recorded, Versioned, recorded, recorded_parts, unfold

__all__ = [
    "EventRecord",
    "PermanentEventError",
    "Recorded",
    "Versioned",
    "audit",
    "crowd",
    "dataset",
    "decode",
    "encode",
    "event",
    "example",
    "message_types",
    "model",
    "person",
    "recorded",
    "recorded_parts",
    "score",
    "task",
    "unfold",
    "validation",
]
