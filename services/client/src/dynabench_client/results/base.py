"""Base of all results.

A result keeps fields that this version does not know, so a newer platform never breaks an older client and
nothing is lost when a result is printed. Ids are opaque text. Words that may grow, such as states, are text
too. A field that is missing or null has its default, unless nothing works without it.
"""

from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, model_validator

Item = TypeVar("Item")


class Result(BaseModel):
    """A frozen record of the platform."""

    model_config = ConfigDict(frozen=True, extra="allow", protected_namespaces=())

    @model_validator(mode="before")
    @classmethod
    def _null_is_default(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {key: item for key, item in value.items() if item is not None or not cls._has_default(key)}

    @classmethod
    def _has_default(cls, key: str) -> bool:
        field = cls.model_fields.get(key)
        return field is not None and not field.is_required() and field.default is not None

    def document(self) -> dict[str, Any]:
        """Return the record as JSON-ready data, unknown fields included."""
        return self.model_dump(mode="json", by_alias=True)


class Page(Result, Generic[Item]):
    """A part of a list; `next_cursor` is None on the last one."""

    items: tuple[Item, ...] = ()
    next_cursor: str | None = None


class Empty(Result):
    """An answer without content."""
