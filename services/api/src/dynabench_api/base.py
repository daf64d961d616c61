"""Base of all records, and the types of their fields.

A field without a default is required: readers refuse an answer without it. Readers ignore unknown fields and accept
unknown words, so that a newer platform never breaks an older client.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    Self,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
)
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, ConfigDict, JsonValue, WithJsonSchema

Item = TypeVar("Item")


def _text_of_id(value: object) -> object:
    return str(value) if isinstance(value, UUID) else value


Id = Annotated[str, BeforeValidator(_text_of_id), WithJsonSchema({"type": "string", "format": "uuid"})]
"""An id as text. A service may pass a UUID."""

Value: TypeAlias = str | Sequence[str] | Mapping[str, Any]
"""A value of a task's field: a text or label, labels, or a span or image."""

if TYPE_CHECKING:
    Values: TypeAlias = dict[str, Any]
    FieldValue: TypeAlias = Any
    Json: TypeAlias = Any
else:
    Values = dict[str, Value]
    Json = JsonValue
    # A task's fields check its values; to check their kind again for each answer would only cost time.
    FieldValue = Annotated[
        Any,
        WithJsonSchema(
            {
                "anyOf": [
                    {"type": "string"},
                    {"type": "array", "items": {"type": "string"}},
                    {"type": "object"},
                ],
                "description": "Depends on the field's type: a text or label, labels, or a span or image as an object",
            }
        ),
    ]


def words(*known: str) -> WithJsonSchema:
    """Mark a text as one of the known words. Readers accept others too."""
    which = {"enum": list(known)} if len(known) > 1 else {"const": known[0]}
    return WithJsonSchema({"type": "string", **which})


class Record(BaseModel):
    """A frozen record of the platform."""

    model_config = ConfigDict(frozen=True, from_attributes=True, protected_namespaces=())

    @classmethod
    def blank(cls, **given: Any) -> Self:
        """Return a record with zeros, empty texts and empty lists for missing fields, also in nested records."""
        fields = {field.alias or name: field for name, field in cls.model_fields.items()}
        missing = {
            name: _neutral(field.annotation)
            for name, field in fields.items()
            if field.is_required() and name not in given
        }
        known = {
            name: _filled(fields[name].annotation, value) if name in fields else value
            for name, value in given.items()
        }
        return cls.model_validate({**missing, **known})

    def document(self) -> dict[str, Any]:
        """Return the record as data for JSON."""
        return self.model_dump(mode="json", by_alias=True)


class Page(Record, Generic[Item]):
    """A part of a list; `next_cursor` is null on the last one."""

    items: tuple[Item, ...]
    next_cursor: str | None


def _neutral(annotation: Any) -> Any:
    options = _options(annotation)
    if NoneType in options or Any in options:
        return None
    kind = get_origin(options[0]) or options[0]
    if issubclass(kind, Record):
        return kind.blank()
    if issubclass(kind, datetime | date):
        return datetime(1970, 1, 1, tzinfo=UTC) if kind is datetime else date(1970, 1, 1)
    return "" if issubclass(kind, str) else kind()


def _filled(annotation: Any, value: Any) -> Any:
    for kind in _options(annotation):
        origin, inner = get_origin(kind), get_args(kind)
        if isinstance(kind, type) and issubclass(kind, Record) and isinstance(value, dict):
            return kind.blank(**value)
        if origin is tuple and isinstance(value, list | tuple):
            return tuple(_filled(inner[0], each) for each in value)
        if origin is dict and isinstance(value, dict):
            return {name: _filled(inner[1], each) for name, each in value.items()}
    return value


def _options(annotation: Any) -> tuple[Any, ...]:
    """Return the members of a union type; for any other type, the type itself."""
    if get_origin(annotation) is Annotated:
        return _options(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return tuple(each for part in get_args(annotation) for each in _options(part))
    return (annotation,)
