"""Pages of lists: the start of a page, and the cursor of the next."""

from collections.abc import Callable, Sequence
from typing import TypeVar
from uuid import UUID

from dynabench_common.problems import Problem
from dynabench_common.schemas import PageQuery, decode_cursor, encode_cursor

Item = TypeVar("Item")


def foreign_cursor() -> Problem:
    """Return the refusal for a cursor of another list."""
    return Problem(
        422,
        "cursor-invalid",
        "Unusable cursor",
        "The cursor belongs to another list.",
        field="cursor",
        remedy="Start without a cursor.",
    )


def last_id(query: PageQuery) -> UUID | None:
    """Return the id that the page before ended with. Raises Problem 422 for a cursor of another list."""
    if query.cursor is None:
        return None
    try:
        (text,) = decode_cursor(query.cursor)
        return UUID(text)
    except (TypeError, ValueError, AttributeError) as err:
        raise foreign_cursor() from err


def cut(
    found: Sequence[Item], query: PageQuery, key: Callable[[Item], UUID]
) -> tuple[Sequence[Item], str | None]:
    """Return the page of `found`, which holds one item more if there is a next page, and its cursor."""
    page = found[: query.limit]
    return page, encode_cursor(str(key(page[-1]))) if len(found) > query.limit else None
