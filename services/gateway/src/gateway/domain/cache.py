"""The most recently used answers, bounded in number and in bytes."""

from collections import OrderedDict
from typing import Generic, TypeVar

Key = TypeVar("Key")
OVERHEAD_BYTES = 1_000


class BoundedCache(Generic[Key]):
    """Keeps encoded answers. An entry counts with its bytes plus a flat amount for its key."""

    def __init__(self, max_entries: int, max_bytes: int) -> None:
        self._max_entries = max_entries
        self._max_bytes = max_bytes
        self._entries: OrderedDict[Key, bytes] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Key) -> bytes | None:
        """Return an answer, which then counts as just used."""
        value = self._entries.get(key)
        if value is not None:
            self._entries.move_to_end(key)
        return value

    def put(self, key: Key, value: bytes) -> None:
        """Store an answer, and drop the least recently used ones above the limits."""
        replaced = self._entries.pop(key, None)
        if replaced is not None:
            self._bytes -= _weight(replaced)
        self._entries[key] = value
        self._bytes += _weight(value)
        while self._entries and (len(self._entries) > self._max_entries or self._bytes > self._max_bytes):
            _, dropped = self._entries.popitem(last=False)
            self._bytes -= _weight(dropped)


def _weight(value: bytes) -> int:
    return len(value) + OVERHEAD_BYTES
