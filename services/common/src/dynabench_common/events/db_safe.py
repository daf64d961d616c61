"""A check that a database can store an event's values, made when an event could not be applied.

No version of any projection can store a text with NUL, a date beyond the calendar, NaN, or a number too large. So such
events count as undecodable.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from dynabench_common.events.cloud_events import Event

LARGEST_INTEGER = 2**31 - 1
LARGEST_LONG = 2**63 - 1
WIDE = {FieldDescriptor.TYPE_INT64, FieldDescriptor.TYPE_UINT64, FieldDescriptor.TYPE_FIXED64}
TIMESTAMP = Timestamp.DESCRIPTOR.full_name


def flaw_of(event: Event) -> str | None:
    """Return a description of an event's first part that can't be stored, or None."""
    if not 0 <= event.aggregate_version <= LARGEST_INTEGER:
        return f"aggregate_version {event.aggregate_version} is out of range"
    return next(_flaws(event.message, ""), None)


def _flaws(message: Message, path: str) -> Iterator[str]:
    if message.DESCRIPTOR.full_name == TIMESTAMP:
        try:
            message.ToDatetime()  # type: ignore[attr-defined]
        except (ValueError, OverflowError):
            yield f"{path} is no moment of the calendar"
        return
    for field, value in message.ListFields():
        name = f"{path}.{field.name}".lstrip(".")
        is_wide = _type_of_values(field) in WIDE
        for part in _parts(value):
            yield from _flaws_of_value(part, name, LARGEST_LONG if is_wide else LARGEST_INTEGER)


def _type_of_values(field: FieldDescriptor) -> int:
    """Return a field's type; of a map, the type of its values."""
    entry = field.message_type
    is_map = entry is not None and entry.GetOptions().map_entry
    return entry.fields_by_name["value"].type if is_map and entry is not None else field.type


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        yield from value.keys()
        yield from value.values()
    elif isinstance(value, (str, bytes, int, float, Message)):
        yield value
    else:
        yield from value


def _flaws_of_value(value: Any, name: str, largest: int) -> Iterator[str]:
    if isinstance(value, Message):
        yield from _flaws(value, name)
    elif isinstance(value, str) and "\x00" in value:
        yield f"{name} holds the NUL character"
    elif isinstance(value, float) and not math.isfinite(value):
        yield f"{name} is {value}"
    elif isinstance(value, int) and value > largest:
        yield f"{name} is out of range: {value}"
