"""Base classes of request bodies, address parameters and pages of lists."""

import base64
import binascii
import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, Self, TypeVar
from uuid import UUID

from dynabench_tasks.strict_json import read_json
from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from dynabench_common.problems import Problem

DEEPEST = 30
IDENTIFIER = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MOST_NUMBER = 2**31
Item = TypeVar("Item")
Position = TypeVar("Position")


def _storable(text: str) -> str:
    if "\x00" in text:
        raise ValueError("must not hold the NUL character")
    if any(0xD800 <= ord(character) <= 0xDFFF for character in text):
        raise ValueError("must be valid Unicode; it holds half of a surrogate pair")
    return text


Text = Annotated[str, AfterValidator(_storable)]


def in_utc(moment: datetime) -> datetime:
    """Return a moment in UTC, since PostgreSQL accepts fewer offsets than Python.

    Raises ValueError for one outside the years 1 to 9999.
    """
    try:
        return moment.astimezone(UTC)
    except OverflowError as err:
        raise ValueError("must lie in the years 1 to 9999") from err


Moment = Annotated[AwareDatetime, AfterValidator(in_utc)]


def _refuse_unstorable(value: Any, path: str = "", depth: int = 0) -> None:
    if depth > DEEPEST:
        raise ValueError(f"is nested more than {DEEPEST} deep")
    if isinstance(value, str):
        try:
            _storable(value)
        except ValueError as err:
            raise ValueError(f"{path or 'text'} {err}") from err
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_unstorable(key, f"{path}.{key!r}".strip("."), depth + 1)
            _refuse_unstorable(item, f"{path}.{key}".strip("."), depth + 1)
    elif isinstance(value, list):
        for position, item in enumerate(value):
            _refuse_unstorable(item, f"{path}[{position}]", depth + 1)


class Parameters(BaseModel):
    """Parameters of a request. Their JSON schema is made once, since flask-openapi reads it for each query."""

    @classmethod
    @cache
    def model_json_schema(  # type: ignore[override]
        cls, *args: Any, **kwargs: Any
    ) -> dict[str, Any]:
        """Return the schema, as pydantic does. The same object is returned again: do not change it."""
        return super().model_json_schema(*args, **kwargs)


class Input(Parameters):
    """A request body: unknown keys are refused, and so is text that PostgreSQL or UTF-8 can't hold."""

    model_config = ConfigDict(extra="forbid", strict=False, str_max_length=100_000)

    @model_validator(mode="before")
    @classmethod
    def _check_text(cls, value: Any) -> Any:
        _refuse_unstorable(value)
        return value


class PageQuery(Parameters):
    """The requested part of a list."""

    limit: int = Field(default=50, ge=1, le=200, description="Most items to return")
    cursor: Text | None = Field(default=None, max_length=500, description="next_cursor of the page before")

    @model_validator(mode="after")
    def _check_cursor(self) -> Self:
        if self.cursor is not None:
            _decode_cursor(self.cursor)
        return self


def encode_cursor(*position: object) -> str:
    """Return an opaque cursor for a position in a list. It holds ids and moments as text."""
    return base64.urlsafe_b64encode(json.dumps(position, default=_as_text).encode()).decode().rstrip("=")


def _as_text(value: object) -> str:
    if isinstance(value, UUID | datetime):
        return str(value)
    raise TypeError(f"no cursor holds {type(value).__name__}")


def _decode_cursor(cursor: str) -> list[Any]:
    """Return the position that a cursor stands for. Raises Problem 422 for a cursor that isn't ours."""
    try:
        position = read_json(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode())
        if not isinstance(position, list):
            raise ValueError("not a position")
    except (ValueError, binascii.Error) as err:
        raise _cursor_invalid() from err
    return position


def _cursor_invalid() -> Problem:
    """Return the refusal of a cursor that isn't ours."""
    return Problem(
        422,
        "cursor-invalid",
        "Unusable cursor",
        "The cursor is not one that this list gave.",
        field="cursor",
        remedy="Start without a cursor.",
    )


def cursor_id(value: object) -> UUID:
    """Return the last id of a page. Raises ValueError for an impossible id."""
    if not isinstance(value, str) or not IDENTIFIER.fullmatch(value):
        raise ValueError(value)
    return UUID(value)


def cursor_moment(value: object) -> datetime:
    """Return the last moment of a page. Raises ValueError for an impossible one, or one without a time zone."""
    if not isinstance(value, str) or (moment := datetime.fromisoformat(value)).tzinfo is None:
        raise ValueError(value)
    return in_utc(moment)


def cursor_moment_and_id(moment: object, identifier: object) -> tuple[datetime, UUID]:
    """Return the last moment and id of a page. Raises ValueError for impossible ones."""
    return cursor_moment(moment), cursor_id(identifier)


def cursor_name(value: object) -> str:
    """Return the last name of a page. Raises ValueError for an impossible name."""
    if not isinstance(value, str) or not value.isprintable():
        raise ValueError(value)
    return value


def cursor_number(value: object, *, limit: int = MOST_NUMBER) -> int:
    """Return the last row number of a page. Raises ValueError unless it is at least 0 and less than `limit`."""
    if type(value) is not int or not 0 <= value < limit:
        raise ValueError(value)
    return value


def page_start(cursor: str | None, kind: Callable[..., Position]) -> Position | None:
    """Return the last position of the page before; None for the first page.

    `kind` reads the position from the values in the cursor, for example `cursor_id`. Raises Problem 422 for a cursor
    of another list.
    """
    if cursor is None:
        return None
    try:
        return kind(*_decode_cursor(cursor))
    except (TypeError, ValueError) as err:
        raise _cursor_invalid() from err


def cut_page(
    found: Sequence[Item], limit: int, key: Callable[[Item], object]
) -> tuple[Sequence[Item], str | None]:
    """Return the first `limit` of `found`, and the cursor of the next page if `found` holds more.

    `key` returns the position of an item: one value, or a tuple of them.
    """
    page = found[:limit]
    if len(found) <= limit:
        return page, None
    last = key(page[-1])
    return page, encode_cursor(*last) if isinstance(last, tuple) else encode_cursor(last)
