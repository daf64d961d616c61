"""Pairs of examples whose inputs say nearly the same, by MinHash bands and then compared exactly.

Equal texts are counted by their number and stand as one in what follows. Of the others only pairs that share a band
are compared, and of a band that very many share only neighbours in the order of reading; at most MOST_PAIRS are. So
in a crowd of alike texts pairs may be missed, hardly a member. Memory: 16 bytes for each example and about 40 for each
text while its band is sorted; the bands themselves, 160 bytes for each text, lie in temporary files.
"""

import tempfile
from array import array
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import lru_cache
from hashlib import blake2b
from itertools import combinations, pairwise
from pathlib import Path
from typing import IO, Any
from uuid import UUID

import numpy as np
from dynabench_tasks.near_duplicates import (
    BANDS,
    LEAST_SIMILARITY,
    bands_of,
    normalise_text,
    shingles_of,
    similarity,
)
from numpy.typing import NDArray

from scoring.dataset.measurements.reading import Reading, input_text

ONE_COLLECTION = UUID(int=0)
CROWD = 20
MOST_PAIRS = 1_000_000
KEPT_SHINGLES = 1_000
KEPT_KEYS = 200_000
"""Texts whose bands are not worked out again when they come again soon."""

Numbers = NDArray[np.int64]


class NearDuplicates:
    """Finds candidates in one pass over the rows, and compares them in another."""

    def __init__(self) -> None:
        self._keys = array("q")
        self._banded = array("q")
        self._recent: dict[int, None] = {}
        self._bands = BandFiles()

    def add(self, reading: Reading) -> None:
        """Take one more row in; one without a visible text is like no other."""
        text = normalise_text(input_text(reading))
        if not text:
            return
        key = _key(text)
        self._keys.append(key)
        if key in self._recent:
            return
        self._banded.append(key)
        self._bands.add(bands_of(ONE_COLLECTION, shingles_of(text)))
        self._recent[key] = None
        if len(self._recent) > KEPT_KEYS:
            del self._recent[next(iter(self._recent))]

    def compare(self, readings: Iterable[Reading]) -> dict[str, Any]:
        """Return the number of pairs, and the share of examples that are in any; reads the same rows again.

        May be called once.
        """
        every = len(self._keys)
        rows, keys, counts = self._texts()
        with self._bands as bands:
            candidates = _candidates(bands, rows)
        texts = _texts({int(keys[position]) for pair in candidates for position in pair}, readings)
        shingles = lru_cache(KEPT_SHINGLES)(lambda position: shingles_of(texts[int(keys[position])]))
        pairs = int((counts * (counts - 1) // 2).sum())
        is_member = counts > 1
        for one, other in candidates:
            if similarity(shingles(one), shingles(other)) >= LEAST_SIMILARITY:
                pairs += int(counts[one] * counts[other])
                is_member[[one, other]] = True
        return {"pairs": pairs, "share": int(counts[is_member].sum()) / every if every else None}

    def _texts(self) -> tuple[Numbers, Numbers, Numbers]:
        """Return each different text in the order of reading: the row of its bands, its key, how many have it."""
        different, counts = np.unique(np.frombuffer(self._keys, dtype=np.int64), return_counts=True)
        banded = np.frombuffer(self._banded, dtype=np.int64)
        rows = np.sort(np.unique(banded, return_index=True)[1])
        keys = banded[rows]
        return rows, keys, counts[np.searchsorted(different, keys)]


class BandFiles:
    """A temporary file for each band, a number for each text, so that one band at a time is in memory."""

    def __init__(self) -> None:
        self._opened = ExitStack()
        self._files: list[IO[bytes]] = []
        self._waiting = array("q")

    def __enter__(self) -> "BandFiles":
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def add(self, bands: list[int]) -> None:
        """Take the bands of one more text in."""
        self._waiting.extend(bands)
        if len(self._waiting) >= BANDS * KEPT_KEYS:
            self._write()

    def read(self) -> Iterator[Numbers]:
        """Yield each band of all texts."""
        self._write()
        for file in self._files:
            file.seek(0)
            yield np.fromfile(file, dtype=np.int64)

    def _write(self) -> None:
        if not self._files:
            folder = Path(self._opened.enter_context(tempfile.TemporaryDirectory()))
            self._files = [
                self._opened.enter_context((folder / str(number)).open("w+b")) for number in range(BANDS)
            ]
        waiting = np.frombuffer(self._waiting, dtype=np.int64).reshape(-1, BANDS)
        for file, band in zip(self._files, waiting.T, strict=True):
            file.write(band.tobytes())
        del waiting, band
        self._waiting = array("q")


def _candidates(bands: BandFiles, rows: Numbers) -> list[tuple[int, int]]:
    """Return the pairs of different texts that share a band, by the order of their first reading."""
    found: set[tuple[int, int]] = set()
    for band in bands.read():
        for crowd in _crowds(band[rows]):
            if len(found) >= MOST_PAIRS:
                break
            found.update(combinations(crowd, 2) if len(crowd) <= CROWD else pairwise(crowd))
    return sorted(found)


def _key(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little", signed=True)


def _texts(keys: set[int], readings: Iterable[Reading]) -> dict[int, str]:
    """Return the texts of keys, which stand among the readings."""
    found: dict[int, str] = {}
    for reading in readings if keys else ():
        text = normalise_text(input_text(reading))
        if (key := _key(text)) in keys:
            found[key] = text
    return found


def _crowds(band: Numbers) -> Iterator[list[int]]:
    """Yield the positions that share a value, of each value that more than one has."""
    order = np.argsort(band, kind="stable")
    ordered = band[order]
    changes = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    starts = np.concatenate([[0], changes])
    lengths = np.diff(starts, append=len(order))
    for start, length in zip(starts[lengths > 1], lengths[lengths > 1], strict=True):
        yield order[start : start + length].tolist()
