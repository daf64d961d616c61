"""Pairs of examples with nearly the same inputs: candidates by MinHash bands, then an exact comparison.

Equal texts are counted by their number and treated as one text from there on. Other pairs are compared only if they
share a band. In a band shared by more than CROWD texts, only neighbours in reading order are compared. So among many
similar texts pairs may be missed, but hardly ever a member. In very large sets, pairs share a band by chance alone.
Pairs whose sketches differ too much are skipped; that loses two in a million of the pairs with similarity 0.8. At most
MOST_PAIRS are compared.

Memory: 40 bytes for each example, and about 70 for each text while one of its bands is sorted. The bands (160 bytes for
each text) and the compared texts are in temporary files.
"""

from array import array
from collections.abc import Iterator
from contextlib import ExitStack
from functools import lru_cache
from hashlib import blake2b
from typing import IO, Any

import numpy as np
from dynabench_tasks.near_duplicates import (
    BANDS,
    LEAST_SIMILARITY,
    normalise_text,
    shingles_of,
    similarity,
)
from dynabench_tasks.smallest_hashes import SmallestHashes
from numpy.typing import NDArray

from scoring.dataset.measurements.reading import Batch, input_text
from scoring.dataset.measurements.sketches import are_alike, bands_of, sketches_of
from scoring.dataset.measurements.tally import new_file

CROWD = 20
MOST_PAIRS = 1_000_000
PAIRS_AT_ONCE = 1_000_000
KEPT_SHINGLES = 100
KEPT_KEYS = 200_000
"""Number of recent texts whose bands are not computed again."""
BLANK = 0

Numbers = NDArray[np.int64]


class NearDuplicates:
    """Finds candidates in one pass over the rows, and compares them in another.

    Between them `choose` finds whose texts are needed; `is_asked` tells whether there are any.
    """

    def __init__(self) -> None:
        self._smallest = SmallestHashes()
        self._keys = array("q")
        """Of each row, the number of its text, BLANK for one without visible characters."""
        self._banded = array("q")
        """The rows with computed bands; `_sketches` has their sketches."""
        self._sketches = array("Q")
        self._bands = BandFiles()
        self._recent: set[int] = set()
        self._before: set[int] = set()
        """The texts of the last KEPT_KEYS and more that were different."""
        self._counts: Numbers = np.empty(0, dtype=np.int64)
        """Of each distinct text, in the order of reading, the number of its rows."""
        self._candidates: Numbers = np.empty((2, 0), dtype=np.int64)
        self._texts: TextFile | None = None

    def add(self, batch: Batch) -> None:
        """Take some more rows in; one without a visible text is like no other."""
        new: list[str] = []
        for reading in batch.readings:
            text = normalise_text(input_text(reading))
            key = _key(text) if text else BLANK
            if text and key not in self._recent and key not in self._before:
                self._banded.append(len(self._keys))
                new.append(text)
                self._recent.add(key)
                if len(self._recent) == KEPT_KEYS:
                    self._before, self._recent = self._recent, set()
            self._keys.append(key)
        if new:
            smallest = self._smallest.of(new)
            self._bands.add(bands_of(smallest))
            self._sketches.frombytes(sketches_of(smallest).tobytes())

    def choose(self) -> None:
        """Find the pairs of texts to compare."""
        keys = np.frombuffer(self._keys, dtype=np.int64)
        rows = np.frombuffer(self._banded, dtype=np.int64)
        different, counts = np.unique(keys[keys != BLANK], return_counts=True)
        firsts = np.sort(np.unique(keys[rows], return_index=True)[1])
        self._counts = counts[np.searchsorted(different, keys[rows[firsts]])]
        del different, counts
        sketches = np.frombuffer(self._sketches, dtype=np.uint64).reshape(-1, 2)[firsts]
        with self._bands as bands:
            self._candidates = _candidates(bands, firsts, sketches)
        if self.is_asked:
            self._texts = TextFile(rows[firsts[np.unique(self._candidates)]])

    @property
    def is_asked(self) -> bool:
        """Return whether the rows are to be read again."""
        return self._candidates.size > 0

    def add_texts(self, batch: Batch) -> None:
        """Keep what is needed of some rows, which are read again."""
        if self._texts is not None:
            self._texts.add(batch)

    def as_json(self) -> dict[str, Any]:
        """Return the number of pairs, and the share of examples that are in any. May be called once."""
        counts = self._counts
        pairs = int((counts * (counts - 1) // 2).sum())
        is_member = counts > 1
        for one, other in self._alike():
            pairs += int(counts[one] * counts[other])
            is_member[[one, other]] = True
        every = int(counts.sum())
        return {"pairs": pairs, "share": int(counts[is_member].sum()) / every if every else None}

    def _alike(self) -> Iterator[tuple[int, int]]:
        """Yield the candidates that are near-duplicates."""
        if self._texts is None:
            return
        places = np.searchsorted(np.unique(self._candidates), self._candidates)
        with self._texts as texts:
            shingles = lru_cache(KEPT_SHINGLES)(lambda place: shingles_of(texts.read(place)))
            for (one, other), pair in zip(places.T.tolist(), self._candidates.T.tolist(), strict=True):
                if similarity(shingles(one), shingles(other)) >= LEAST_SIMILARITY:
                    yield pair[0], pair[1]


class BandFiles:
    """A temporary file for each band, a number for each text, so that one band at a time is in memory."""

    def __init__(self) -> None:
        self._opened = ExitStack()
        self._files: list[IO[bytes]] = []
        self._waiting: list[Numbers] = []
        self._number = 0

    def __enter__(self) -> "BandFiles":
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def add(self, bands: Numbers) -> None:
        """Take the bands of some more texts in, a row for each text."""
        self._waiting.append(bands)
        self._number += len(bands)
        if self._number >= KEPT_KEYS:
            self._write()

    def read(self) -> Iterator[Numbers]:
        """Yield each band of all texts."""
        self._write()
        for file in self._files:
            file.seek(0)
            yield np.fromfile(file, dtype=np.int64)

    def _write(self) -> None:
        if not self._files:
            self._files = [new_file(self._opened) for _ in range(BANDS)]
        for file, *band in zip(self._files, *(bands.T for bands in self._waiting), strict=True):
            file.write(np.concatenate(band).tobytes() if band else b"")
        self._waiting, self._number = [], 0


class TextFile:
    """A temporary file for the texts of these rows, whose numbers ascend."""

    def __init__(self, rows: Numbers) -> None:
        self._rows = rows
        self._begins = array("q", [0])
        self._opened = ExitStack()
        self._file = new_file(self._opened)

    def __enter__(self) -> "TextFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def add(self, batch: Batch) -> None:
        """Write the wanted texts of a batch; callers pass every row once, in order."""
        first, last = np.searchsorted(self._rows, [batch.first, batch.first + len(batch)])
        for row in (self._rows[first:last] - batch.first).tolist():
            text = normalise_text(input_text(batch.reading(row))).encode()
            self._file.write(text)
            self._begins.append(self._begins[-1] + len(text))

    def read(self, place: int) -> str:
        """Return the text of the row at this place among the rows."""
        self._file.seek(self._begins[place])
        return self._file.read(self._begins[place + 1] - self._begins[place]).decode()


def _candidates(bands: BandFiles, firsts: Numbers, sketches: NDArray[np.uint64]) -> Numbers:
    """Return pairs of different texts that share a band and look alike: both texts of each, by their numbers."""
    every = len(firsts)
    found = np.empty(0, dtype=np.int64)
    for band in bands.read():
        for one, other in _sharing(band[firsts]):
            is_alike = are_alike(sketches[one], sketches[other])
            new = np.setdiff1d(one[is_alike] * every + other[is_alike], found)
            found = np.union1d(found, new[: max(MOST_PAIRS - len(found), 0)])
    return np.stack(np.divmod(found, max(every, 1)))


def _sharing(band: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield pairs that share a value, the earlier one first: all, or of more than CROWD each with the next."""
    order = np.argsort(band, kind="stable")
    is_same = np.diff(band[order]) == 0
    is_shared = np.zeros(len(order), dtype=bool)
    is_shared[1:] |= is_same
    is_shared[:-1] |= is_same
    shared = order[is_shared]
    values = band[shared]
    begins = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]])[: len(values)])
    sizes = np.diff(begins, append=len(values))
    ends = np.repeat(begins + sizes, sizes)
    is_crowd = np.repeat(sizes > CROWD, sizes)
    del order, is_same, is_shared, values, begins, sizes
    places = np.arange(len(shared))
    for distance in range(1, CROWD):
        has_other = (places + distance < ends) & (~is_crowd if distance > 1 else True)
        one = places[has_other]
        if not len(one):
            return
        for begin in range(0, len(one), PAIRS_AT_ONCE):
            some = one[begin : begin + PAIRS_AT_ONCE]
            yield shared[some], shared[some + distance]


def _key(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little", signed=True)
