"""Results that all services share: pages, lists and dead letters.

Results are the records of `dynabench_api`, under the names that users of the SDK know.
"""

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
