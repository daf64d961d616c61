"""Conversion of records to protobuf messages and back, in one place for every event.

`@event` binds a record's class to its message. Each field of the message is a field of the record under the same name.
The type of the record's field decides the conversion (`fields`). The log contains messages; code works with records.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from dataclasses import fields as dataclass_fields
from datetime import datetime
from typing import Any, TypeVar, get_type_hints
from uuid import UUID

from google.protobuf.message import Message

from dynabench_events.fields import Converter, FieldCodec, FieldUnreadable, field_codec


class PermanentEventError(Exception):
    """An event that can never be applied; the message says why."""


@dataclass(frozen=True, slots=True)
class EventRecord:
    """The fields that every event's record shares: its aggregate, its time, and its topic."""

    @property
    def aggregate_id(self) -> UUID:
        """Return the id under which the event is published."""
        found: UUID = getattr(self, _codec_of(type(self)).aggregate_field)
        return found

    @property
    def occurred_at(self) -> datetime:
        """Return when it happened."""
        found: datetime = getattr(self, _codec_of(type(self)).time_field)
        return found

    @property
    def topic(self) -> str:
        """Return the topic that carries the event: the package of its message."""
        package: str = _codec_of(type(self)).message_type.DESCRIPTOR.file.package
        return package

    @property
    def parts(self) -> "tuple[EventRecord, ...]":
        """Return the combined events, in their order: itself, unless it combines several."""
        return (self,)


Record = TypeVar("Record", bound=EventRecord)


class RecordCodec:
    """Conversion of one record's class to its message and back."""

    def __init__(
        self, record_type: type, message_type: type[Message], aggregate_field: str = "", time_field: str = ""
    ) -> None:
        self.message_type = message_type
        self.aggregate_field = aggregate_field
        self.time_field = time_field
        self._record_type = record_type
        self._fields = _field_codecs(record_type, message_type)

    def encode(self, record: Any) -> Message:
        """Return the message. Raises ValueError for a value that the message can't hold."""
        return self.message_type(
            **{field.message_field: field.encode(getattr(record, field.name)) for field in self._fields}
        )

    def decode(self, message: Message) -> Any:
        """Return the record. Raises FieldUnreadable, which names the field."""
        values = {}
        for field in self._fields:
            try:
                values[field.name] = field.read(message)
            except FieldUnreadable as err:
                raise FieldUnreadable(f"{field.message_field} {err}") from err
        return self._record_type(**values)


_by_record: dict[type, RecordCodec] = {}
_by_message: dict[type[Message], RecordCodec] = {}


def event(message_type: type[Message], *, of: str, at: str) -> Callable[[type[Record]], type[Record]]:
    """Bind a record's class to its message; `of` names the field with the aggregate's id, `at` the one with the time.

    Raises TypeError where the two differ in their fields, or a field's type can't be that of its protobuf field.
    """

    def bind(record_type: type[Record]) -> type[Record]:
        codec = RecordCodec(record_type, message_type, of, at)
        _by_record[record_type] = codec
        _by_message[message_type] = codec
        return record_type

    return bind


def encode(record: EventRecord) -> Message:
    """Return an event as its protobuf message. Raises ValueError for a value that the message can't hold."""
    return _codec_of(type(record)).encode(record)


def decode(message: Message) -> EventRecord:
    """Return the record of an event.

    Raises PermanentEventError, which names the event's type, the field and the reason.
    """
    name = message.DESCRIPTOR.full_name
    codec = _by_message.get(type(message))
    if codec is None:
        raise PermanentEventError(f"{name}: no record is known of this event")
    try:
        record: EventRecord = codec.decode(message)
    except FieldUnreadable as err:
        raise PermanentEventError(f"{name}: {err}") from err
    return record


def message_types(records: Iterable[type[EventRecord]]) -> tuple[type[Message], ...]:
    """Return the protobuf classes of these events, for a consumer that accepts them."""
    return tuple(_codec_of(record).message_type for record in records)


def _codec_of(record_type: type) -> RecordCodec:
    return _by_record[record_type]


def _field_codecs(record_type: type, message_type: type[Message]) -> tuple[FieldCodec, ...]:
    hints = get_type_hints(record_type)
    found = tuple(
        field_codec(field.name, hints[field.name], message_type, _nested)
        for field in dataclass_fields(record_type)
    )
    missing = set(message_type.DESCRIPTOR.fields_by_name) - {field.message_field for field in found}
    if missing:
        raise TypeError(f"{record_type.__name__} lacks {', '.join(sorted(missing))}")
    return found


def _nested(record_type: type, message_type: type[Message]) -> Converter:
    codec = RecordCodec(record_type, message_type)
    return Converter(codec.encode, codec.decode)
