"""Pairs of examples whose inputs say nearly the same, by MinHash bands and then compared exactly.

Equal texts are counted by their number and stand as one in what follows. Of the others only pairs that share a band
are compared, and of a band that very many share only neighbours in the order of reading; at most MOST_PAIRS are. So
in a crowd of alike texts pairs may be missed, hardly a member. Memory: 170 bytes and a key for each different text,
and the texts of candidates while they are compared.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from itertools import combinations, pairwise
from typing import Any
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


class NearDuplicates:
    """Finds candidates in one pass over the rows, and compares them in another."""

    def __init__(self) -> None:
        self._examples: Counter[bytes] = Counter()
        self._bands = array("q")

    def add(self, reading: Reading) -> None:
        """Take one more row in; one without a visible text is like no other."""
        text = normalise_text(input_text(reading))
        if not text:
            return
        key = _key(text)
        if key not in self._examples:
            self._bands.extend(bands_of(ONE_COLLECTION, shingles_of(text)))
        self._examples[key] += 1

    def compare(self, readings: Iterable[Reading]) -> dict[str, Any]:
        """Return the number of pairs, and the share of examples that are in any; reads the same rows again."""
        keys = list(self._examples)
        candidates = self._candidates()
        texts = _texts({keys[position] for pair in candidates for position in pair}, readings)
        shingles = lru_cache(KEPT_SHINGLES)(lambda position: shingles_of(texts[keys[position]]))
        pairs = sum(number * (number - 1) // 2 for number in self._examples.values())
        members = {key for key, number in self._examples.items() if number > 1}
        for one, other in candidates:
            if similarity(shingles(one), shingles(other)) >= LEAST_SIMILARITY:
                pairs += self._examples[keys[one]] * self._examples[keys[other]]
                members |= {keys[one], keys[other]}
        found, every = sum(self._examples[key] for key in members), self._examples.total()
        return {"pairs": pairs, "share": found / every if every else None}

    def _candidates(self) -> list[tuple[int, int]]:
        """Return the pairs of different texts that share a band, by the order of their first reading."""
        bands = np.frombuffer(self._bands, dtype=np.int64).reshape(-1, BANDS)
        found: set[tuple[int, int]] = set()
        for band in bands.T:
            for crowd in _crowds(band):
                if len(found) >= MOST_PAIRS:
                    break
                found.update(combinations(crowd, 2) if len(crowd) <= CROWD else pairwise(crowd))
        return sorted(found)


def _key(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=8).digest()


def _texts(keys: set[bytes], readings: Iterable[Reading]) -> dict[bytes, str]:
    """Return the texts of keys, which stand among the readings."""
    found: dict[bytes, str] = {}
    for reading in readings if keys else ():
        text = normalise_text(input_text(reading))
        if (key := _key(text)) in keys:
            found[key] = text
    return found


def _crowds(band: NDArray[np.int64]) -> Iterator[list[int]]:
    """Yield the positions that share a value, of each value that more than one has."""
    order = np.argsort(band, kind="stable")
    starts = np.flatnonzero(np.diff(band[order])) + 1
    for positions in np.split(order, starts):
        if len(positions) > 1:
            yield positions.tolist()
