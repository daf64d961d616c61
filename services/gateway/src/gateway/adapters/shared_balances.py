"""Remaining quotas of people, in memory that all processes of one gateway share.

An unnamed file is opened before gunicorn forks; each process maps it. A person's record lies in one of a few slots that
follow from the person's id. Those slots are locked while the record changes. It is a lock of the system, so a killed
process releases it. If other people fill all slots, the record that was unused longest is dropped.
"""

import fcntl
import hashlib
import mmap
import struct
import tempfile
from collections.abc import Callable

from gateway.domain.quota import Balance

RECORD = struct.Struct("<16sdd")
SLOTS = 16_384
WAYS = 8
"""Slots in which a person's record may lie."""


class SharedBalances:
    """A table of balances in shared memory; half a megabyte, allocated as it is used."""

    def __init__(self, slots: int = SLOTS) -> None:
        self._sets = slots // WAYS
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the process)
        self._file.truncate(slots * RECORD.size)
        self._memory = mmap.mmap(self._file.fileno(), slots * RECORD.size)

    def change(self, person_id: str, change: Callable[[Balance | None], Balance]) -> None:
        """Replace a person's balance by the result of `change`, under a lock."""
        digest = hashlib.sha256(person_id.encode()).digest()
        begin = int.from_bytes(digest[16:20], "big") % self._sets * WAYS * RECORD.size
        fcntl.lockf(self._file, fcntl.LOCK_EX, WAYS * RECORD.size, begin)
        try:
            place, found = self._find(digest[:16], begin)
            balance = change(found)
            RECORD.pack_into(self._memory, place, digest[:16], balance.left, balance.since)
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN, WAYS * RECORD.size, begin)

    def _find(self, key: bytes, begin: int) -> tuple[int, Balance | None]:
        """Return where a person's record lies, or the place of an empty or the oldest one without a balance."""
        oldest, place = float("inf"), begin
        for each in range(begin, begin + WAYS * RECORD.size, RECORD.size):
            held, left, since = RECORD.unpack_from(self._memory, each)
            if held == key:
                return each, Balance(left, since)
            if since < oldest:
                oldest, place = since, each
        return place, None


_SHARED: SharedBalances | None = None


def share_balances() -> None:
    """Open the table that all processes forked from now on share."""
    global _SHARED
    _SHARED = SharedBalances()


def shared_balances() -> SharedBalances | None:
    """Return the table that this process shares with others, if there are any."""
    return _SHARED
