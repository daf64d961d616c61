"""Base of all results. Results are the records of `dynabench_api`, under the names that users of the SDK know."""

from typing import Generic

from dynabench_api import base
from dynabench_api.base import Item

Page = base.Page
Result = base.Record


class Whole(Result, Generic[Item]):
    """A list without pages."""

    items: tuple[Item, ...]


class Empty(Result):
    """An answer without content."""
