"""Pages of lists: the start of a page, and the cursor of the next."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from uuid import UUID

from dynabench_common.problems import Problem
from dynabench_common.schemas import PageQuery, decode_cursor, encode_cursor

Item = TypeVar("Item")
Position = TypeVar("Position", str, int, UUID)
MOST_ROUNDS = 1_000_000


def name(value: object) -> str:
    """Return a name that a page ended with. Raises ValueError for what no name can be."""
    if not isinstance(value, str) or not value.isprintable():
        raise ValueError(value)
    return value


def number(value: object) -> int:
    """Return a number that a page ended with. Raises ValueError for what no number of a round can be."""
    if not isinstance(value, int) or not 0 <= value < MOST_ROUNDS:
        raise ValueError(value)
    return value


def position(query: PageQuery, kind: Callable[[Any], Position]) -> Position | None:
    """Return what the page before ended with. Raises Problem 422 for a cursor of another list."""
    if query.cursor is None:
        return None
    try:
        (value,) = decode_cursor(query.cursor)
        return kind(value)
    except (TypeError, ValueError, AttributeError) as err:
        raise Problem(
            422,
            "cursor-invalid",
            "Unusable cursor",
            "The cursor belongs to another list.",
            field="cursor",
            remedy="Start without a cursor.",
        ) from err


def cut(
    found: Sequence[Item], query: PageQuery, key: Callable[[Item], object]
) -> tuple[Sequence[Item], str | None]:
    """Return the page of `found`, which holds one item more if there is a next page, and its cursor."""
    page = found[: query.limit]
    if len(found) <= query.limit:
        return page, None
    last = key(page[-1])
    return page, encode_cursor(last if isinstance(last, int) else str(last))
