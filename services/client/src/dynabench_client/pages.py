"""Iteration over paged lists."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from dynabench_client.results.base import Page

Item = TypeVar("Item")
LARGEST_PAGE = 200


def every(read: Callable[[str | None], Page[Item]]) -> Iterator[Item]:
    """Yield the items of every page; `read` takes a cursor.

    >>> every(lambda cursor: client.annotation.examples(round_id, limit=LARGEST_PAGE, cursor=cursor))
    """
    cursor: str | None = None
    while True:
        page = read(cursor)
        yield from page.items
        cursor = page.next_cursor
        if cursor is None:
            return
