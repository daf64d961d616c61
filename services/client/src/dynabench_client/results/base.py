"""Results that all services share: pages and iteration over them, lists and dead letters.

Results are the records of `dynabench_api`, under the names that users of the SDK know.
"""

from collections.abc import Callable, Iterator
from typing import Any, Generic

from dynabench_api import base, dead_letters
from dynabench_api.base import Item

Page = base.Page
Result = base.Record

DeadLetters = dead_letters.DeadLettersOfTopic
SetAside = dead_letters.DeadLettersAnswer
DeadLetterRecord = dead_letters.DeadLetterRecord
DeadLetterRecords = dead_letters.DeadLetterRecords
DeadLetterDecision = dead_letters.DeadLetterDecision
LARGEST_PAGE = 200


class Whole(Result, Generic[Item]):
    """A list without pages."""

    items: tuple[Item, ...]


_LISTS: dict[type[Any], Any] = {}
"""The classes of lists by their items. pydantic refers to them only weakly, so each call would make its class again."""


def whole(item: type[Item]) -> type[Whole[Item]]:
    """Return the class for a list of such items."""
    found: type[Whole[Item]] = _LISTS.setdefault(item, Whole[item])  # type: ignore[valid-type]
    return found


class Empty(Result):
    """An answer without content."""


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
