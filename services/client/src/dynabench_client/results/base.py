"""Base of all results.

A result has the fields of the answer that it is read from, and `tests/contract` compares the two: a field that an
answer always has has no default here, so an answer without it is refused instead of read as something else. Only what
the platform may leave out has a default. Fields that this version does not know are kept, so a newer platform never
breaks an older client and nothing is lost when a result is printed. Ids are opaque text; so are words that may grow,
such as states.
"""

import types
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, Generic, Self, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict

Item = TypeVar("Item")
NEUTRAL: Mapping[Any, Any] = {
    str: "",
    int: 0,
    float: 0.0,
    bool: False,
    tuple: (),
    dict: {},
    datetime: datetime(1970, 1, 1, tzinfo=UTC),
    date: date(1970, 1, 1),
    type(None): None,
    Any: None,
}


class Result(BaseModel):
    """A frozen record of the platform."""

    model_config = ConfigDict(frozen=True, extra="allow", protected_namespaces=())

    @classmethod
    def blank(cls, **given: Any) -> Self:
        """Return a record made here, not read: zeros, empty texts and lists for what is not given, within too."""
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
        """Return the record as JSON-ready data, unknown fields included."""
        return self.model_dump(mode="json", by_alias=True)


class Page(Result, Generic[Item]):
    """A part of a list; `next_cursor` is None on the last one."""

    items: tuple[Item, ...]
    next_cursor: str | None


class Whole(Result, Generic[Item]):
    """A list that comes in one piece."""

    items: tuple[Item, ...]


class Empty(Result):
    """An answer without content."""


def _neutral(annotation: Any) -> Any:
    origin = get_origin(annotation) or annotation
    if origin in (Union, types.UnionType):
        options = get_args(annotation)
        return None if type(None) in options else _neutral(options[0])
    if isinstance(origin, type) and issubclass(origin, Result):
        return origin.blank()
    return NEUTRAL[origin]


def _filled(annotation: Any, value: Any) -> Any:
    for kind in get_args(annotation) if get_origin(annotation) in (Union, types.UnionType) else (annotation,):
        if isinstance(kind, type) and issubclass(kind, Result) and isinstance(value, dict):
            return kind.blank(**value)
        if get_origin(kind) is tuple and isinstance(value, list | tuple):
            return tuple(_filled(get_args(kind)[0], each) for each in value)
        if get_origin(kind) is dict and isinstance(value, dict):
            return {name: _filled(get_args(kind)[1], each) for name, each in value.items()}
    return value
