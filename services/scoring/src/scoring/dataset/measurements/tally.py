"""Counts and first positions of very many keys, with at most MOST_HELD of them in memory.

Keys, counts and positions are arrays. Entries in memory are merged whenever their number has doubled. If too many
remain, they are appended to a temporary file, sorted by key. The file is read back and merged one part of the key range
at a time. Memory depends on MOST_HELD and on a thirty-second of the file's size.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import IO

import numpy as np
from numpy.typing import NDArray

MOST_HELD = 1_000_000
PARTS = 32

Numbers = NDArray[np.int64]
Columns = tuple[Numbers, Numbers, Numbers]
"""Ascending keys, how often each came, and where first, which is 0 for keys that came without places."""
NOTHING = np.empty(0, dtype=np.int64)


class Tally:
    """Counts of keys from `low` to below `high`; at most twice `held` are in memory."""

    def __init__(self, *, low: int = -(2**63), high: int = 2**63, held: int = MOST_HELD) -> None:
        self._cuts = [low + (high - low) * part // PARTS for part in range(1, PARTS)]
        self._most_in_memory = held
        self._new: list[tuple[Numbers, Numbers | None]] = []
        self._new_number = 0
        self._held: Columns = (NOTHING, NOTHING, NOTHING)
        self._opened = ExitStack()
        self._file: IO[bytes] | None = None
        self._rows: list[Sequence[int]] = []
        """Number of keys of each part that each write put into the file."""
        self._read: tuple[int, Columns] | None = None
        """The part that was read last."""

    def add(self, keys: Numbers, places: Numbers | None = None) -> None:
        """Count keys; `places`, with all or with none of them, are greater than those that came before."""
        self._new.append((keys, places))
        self._new_number += len(keys)
        if self._new_number >= self._most_in_memory:
            self._add_up()

    def parts(self) -> Iterator[Columns]:
        """Yield what was counted, in parts of ascending keys."""
        self._finish()
        for part in range(PARTS if self._file else 1):
            yield self._part(part)

    def all(self) -> Columns:
        """Return what was counted, all at once."""
        keys, counts, places = (np.concatenate(each) for each in zip(*self.parts(), strict=True))
        return keys, counts, places

    def between(self, low: int, high: int) -> tuple[Numbers, Numbers]:
        """Return the keys from `low` to below `high` with their counts; cheap for one range after the other."""
        self._finish()
        first, last = np.searchsorted(self._cuts, [low, high - 1], side="right").tolist()
        keys, counts = [NOTHING], [NOTHING]
        for part in range(first, last + 1) if self._file else (0,):
            columns = self._part(part)
            begin, end = np.searchsorted(columns[0], [low, high])
            keys.append(columns[0][begin:end])
            counts.append(columns[1][begin:end])
        return np.concatenate(keys), np.concatenate(counts)

    def of(self, keys: Numbers) -> Numbers:
        """Return how often each of these came."""
        found = np.zeros(len(keys), dtype=np.int64)
        order = np.argsort(keys)
        asked = keys[order]
        for known, counts, _ in self.parts():
            if len(known):
                begin, end = np.searchsorted(asked, known[0]), np.searchsorted(asked, known[-1], side="right")
                at = np.searchsorted(known, asked[begin:end])
                found[order[begin:end]] = np.where(known[at] == asked[begin:end], counts[at], 0)
        return found

    def _part(self, part: int) -> Columns:
        if self._file is None:
            return self._held
        if self._read is None or self._read[0] != part:
            self._read = None
            self._read = part, self._from_file(self._file, part)
        return self._read[1]

    def _from_file(self, file: IO[bytes], part: int) -> Columns:
        begins, pieces = 0, []
        for rows in self._rows:
            file.seek((begins + sum(rows[:part])) * 3 * 8)
            pieces.append(np.fromfile(file, dtype=np.int64, count=rows[part] * 3).reshape(-1, 3))
            begins += sum(rows)
        keys, counts, places = np.concatenate(pieces).T
        return _summed(keys, counts, places)

    def _add_up(self) -> None:
        """Merge new counts with those in memory; write them to the file if they are too many."""
        if self._new:
            columns = self._held, _counted(self._new)
            self._held = _summed(*(np.concatenate(each) for each in zip(*columns, strict=True)))
            self._new, self._new_number = [], 0
        if len(self._held[0]) > self._most_in_memory:
            self._write()

    def _finish(self) -> None:
        """Leave all counts in memory, or write all to the file."""
        self._add_up()
        if self._file and len(self._held[0]):
            self._write()

    def _write(self) -> None:
        if self._file is None:
            self._file = new_file(self._opened)
        self._file.seek(0, 2)
        self._file.write(np.column_stack(self._held).tobytes())
        ends = np.searchsorted(self._held[0], self._cuts)
        self._rows.append(np.diff(ends, prepend=0, append=len(self._held[0])).tolist())
        self._held, self._read = (NOTHING, NOTHING, NOTHING), None


def new_file(opened: ExitStack) -> IO[bytes]:
    """Return a temporary file that has no name, so nothing is left of it however the process ends."""
    return opened.enter_context(tempfile.TemporaryFile())


def _counted(added: Sequence[tuple[Numbers, Numbers | None]]) -> Columns:
    keys = np.concatenate([keys for keys, _ in added])
    places = [places for _, places in added if places is not None]
    if not places:
        keys.sort()
        starts = _starts(keys)
        return keys[starts], np.diff(starts, append=len(keys)), np.zeros(len(starts), dtype=np.int64)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = _starts(keys)
    return keys[starts], np.diff(starts, append=len(keys)), np.concatenate(places)[order[starts]]


def _summed(keys: Numbers, counts: Numbers, places: Numbers) -> Columns:
    """Return columns that hold each key once."""
    order = np.argsort(keys)
    keys = keys[order]
    starts = _starts(keys)
    if not len(starts):
        return keys, counts, places
    return keys[starts], np.add.reduceat(counts[order], starts), np.minimum.reduceat(places[order], starts)


def _starts(ordered: Numbers) -> Numbers:
    """Return where each key begins."""
    is_start = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_start[1:])
    return np.flatnonzero(is_start)
