"""Conversion of one field's value from its Python type to protobuf and back.

A converter is chosen for each field of a record from its type and from the kind of its protobuf field. That happens
once, when the record's class is declared. A type that protobuf's field cannot hold is a TypeError at that moment. So no
record comes to differ from its message unnoticed.
"""

import json
import math
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from operator import attrgetter
from typing import Any, Union, get_args, get_origin
from uuid import UUID

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp

LONGEST_QUOTE = 50
RECENT_IDS = 4_096
"""Ids repeat within an event and between events; parsing one takes fifteen times as long as a cached one."""
NUMBERS = {
    int: {
        FieldDescriptor.CPPTYPE_UINT32,
        FieldDescriptor.CPPTYPE_UINT64,
        FieldDescriptor.CPPTYPE_INT32,
        FieldDescriptor.CPPTYPE_INT64,
    },
    float: {FieldDescriptor.CPPTYPE_DOUBLE},
    bool: {FieldDescriptor.CPPTYPE_BOOL},
}


class FieldUnreadable(ValueError):
    """A field's value is not allowed by its type; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Converter:
    """Conversion of one value in both directions.

    `decode` raises FieldUnreadable; None from `encode` leaves a field out.
    """

    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class FieldCodec:
    """Conversion of one field: out of a message, and into the arguments that make one."""

    name: str
    message_field: str
    encode: Callable[[Any], Any]
    read: Callable[[Message], Any]


NestedCodec = Callable[[type, type[Message]], Converter]


def field_codec(name: str, kind: Any, message: type[Message], nested: NestedCodec) -> FieldCodec:
    """Return the conversion of a record's field; `nested` makes the converter of a record within the record.

    A mapping whose protobuf field is named `<name>_json` travels as JSON text. Raises TypeError.
    """
    fields = message.DESCRIPTOR.fields_by_name
    if name not in fields and f"{name}_json" in fields:
        return _plain(name, f"{name}_json", JSON_OBJECT)
    if name not in fields:
        raise TypeError(f"{message.DESCRIPTOR.full_name} has no field {name}")
    field: Any = fields[name]
    if _is_map(field):
        return _plain(name, name, _map_of(kind, field))
    if get_origin(kind) is tuple:
        return _plain(name, name, _tuple_of(_converter(get_args(kind)[0], field, nested)))
    optional = _without_none(kind)
    converter = _converter(kind if optional is None else optional, field, nested)
    if field.has_presence:
        return _with_presence(name, converter, is_optional=optional is not None)
    return _plain(name, name, converter if optional is None else _empty_is_none(converter))


def _plain(name: str, message_field: str, converter: Converter) -> FieldCodec:
    get, decode = attrgetter(message_field), converter.decode
    read = get if decode is _same else lambda message: decode(get(message))
    return FieldCodec(name, message_field, converter.encode, read)


def _tuple_of(each: Converter) -> Converter:
    if each is SAME:
        return Converter(_same, tuple)
    return Converter(
        lambda values: [each.encode(value) for value in values],
        lambda values: tuple(each.decode(value) for value in values),
    )


def _with_presence(name: str, converter: Converter, *, is_optional: bool) -> FieldCodec:
    def read(message: Message) -> Any:
        if message.HasField(name):
            return converter.decode(getattr(message, name))
        if is_optional:
            return None
        raise FieldUnreadable("is missing")

    return FieldCodec(name, name, _unless_none(converter.encode), read)


def _empty_is_none(converter: Converter) -> Converter:
    return Converter(_unless_none(converter.encode), lambda value: converter.decode(value) if value else None)


def _unless_none(encode: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else encode(value)


def _without_none(kind: Any) -> Any:
    """Return T of `T | None`; None for every other type."""
    if get_origin(kind) in (Union, types.UnionType):
        rest = [part for part in get_args(kind) if part is not types.NoneType]
        if len(rest) == 1 and len(get_args(kind)) == 2:
            return rest[0]
    return None


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _map_of(kind: Any, field: FieldDescriptor) -> Converter:
    if get_origin(kind) is not Mapping or get_args(kind)[0] is not str:
        raise TypeError(f"{field.full_name} is a map, not {kind}")
    entry: Any = field.message_type
    each = _scalar(get_args(kind)[1], entry.fields_by_name["value"])
    if each is SAME:
        return Converter(_same, dict)
    return Converter(
        lambda values: {key: each.encode(value) for key, value in values.items()},
        lambda values: {key: each.decode(value) for key, value in values.items()},
    )


def _converter(kind: Any, field: FieldDescriptor, nested: NestedCodec) -> Converter:
    if field.message_type is None:
        return _scalar(kind, field)
    if kind is datetime and field.message_type.full_name == Timestamp.DESCRIPTOR.full_name:
        return Converter(_to_timestamp, _from_timestamp)
    if hasattr(kind, "__dataclass_fields__"):
        return nested(kind, GetMessageClass(field.message_type))
    raise TypeError(f"{field.full_name} can't hold {kind}")


def _scalar(kind: Any, field: FieldDescriptor) -> Converter:
    if field.enum_type is not None:
        return _enum(kind, field.enum_type)
    if field.cpp_type in NUMBERS.get(kind, ()):
        return FINITE if kind is float else SAME
    if field.type == FieldDescriptor.TYPE_BYTES:
        if kind is bytes:
            return SAME
    elif field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        if kind is str:
            return SAME
        if kind is UUID:
            return Converter(str, _to_uuid)
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            return _enum_text(kind)
    raise TypeError(f"{field.full_name} can't hold {kind}")


def _enum(kind: Any, enum: EnumDescriptor) -> Converter:
    """Return the conversion of an enum: `VERDICT_FOOLED` is `Verdict.FOOLED`, and the zero is no value."""
    prefix = enum.values[0].name.removesuffix("UNSPECIFIED")
    by_number = {value.number: value.name.removeprefix(prefix) for value in enum.values[1:]}
    if set(by_number.values()) != {member.name for member in kind}:
        raise TypeError(f"{enum.full_name} and {kind.__name__} differ in what they hold")
    members = {number: kind[name] for number, name in by_number.items()}
    numbers = {member: number for number, member in members.items()}

    def decode(number: int) -> Any:
        if number not in members:
            raise FieldUnreadable(f"{number} means nothing here")
        return members[number]

    return Converter(numbers.__getitem__, decode)


def _enum_text(kind: type[StrEnum]) -> Converter:
    def decode(text: str) -> StrEnum:
        try:
            return kind(text)
        except ValueError as err:
            raise FieldUnreadable(f"{text[:LONGEST_QUOTE]!r} means nothing here") from err

    return Converter(lambda member: member.value, decode)


@lru_cache(maxsize=RECENT_IDS)
def _to_uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as err:
        raise FieldUnreadable(f"is no UUID: {text[:LONGEST_QUOTE]!r}") from err


def _to_timestamp(moment: datetime) -> Timestamp:
    if moment.tzinfo is None:
        raise ValueError(f"{moment} has no time zone")
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp


def _from_timestamp(stamp: Timestamp) -> datetime:
    try:
        return stamp.ToDatetime(UTC)
    except (ValueError, OverflowError) as err:
        raise FieldUnreadable(f"is outside the calendar: {err}") from err


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise FieldUnreadable(f"is no finite number: {number}")
    return number


def _to_json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, allow_nan=False)


def _from_json(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as err:
        raise FieldUnreadable(f"is no JSON: {err}") from err
    if not isinstance(document, dict):
        raise FieldUnreadable("is no JSON object")
    return document


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _same(value: Any) -> Any:
    return value


SAME = Converter(_same, _same)
FINITE = Converter(_finite, _finite)
JSON_OBJECT = Converter(_to_json, _from_json)
