"""The smallest hash values of very many texts at once, for the bands of `near_duplicates`, some times faster.

Shingles of a batch of texts are hashed together. A shingle's hash is stored in a table, at the place given by its last
bits. A later shingle may replace it. So memory is the same however many texts there are: some 60 MB.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dynabench_tasks.near_duplicates import BANDS, FACTORS, OFFSETS, ROWS, SHINGLE_CHARACTERS, hash_of

FUNCTIONS = BANDS * ROWS
PLACES_BITS = 20
PIECE_CHARACTERS = 500_000
CHUNK = 32_768
"""Shingles that go through all functions together: so many stay in the processor's cache."""
HIGH = np.uint64(32)
CODE_POINT_BITS = 21
SPREAD_LOW, SPREAD_HIGH = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)

Numbers = NDArray[np.uint64]
Positions = NDArray[np.int64]


class SmallestHashes:
    """Computes them, and caches hashes of shingles for the next texts, in two to the power of `places_bits` places."""

    def __init__(self, places_bits: int = PLACES_BITS) -> None:
        self._shift = np.uint64(64 - places_bits)
        self._known = np.zeros((1 << places_bits, 4), dtype=np.uint64)
        """In each place both halves of a shingle, its hash, and 1; one line of the processor's cache."""

    def of(self, texts: Sequence[str]) -> NDArray[np.uint32]:
        """Return the smallest value of each function for each normalised text, none of which is empty."""
        found = np.empty((len(texts), FUNCTIONS), dtype=np.uint32)
        for piece in _pieces(texts):
            found[piece] = self._of_piece(texts[piece])
        return found

    def _of_piece(self, texts: Sequence[str]) -> NDArray[np.uint32]:
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        shingles = np.maximum(lengths - SHINGLE_CHARACTERS, 0) + 1
        starts = np.concatenate([[0], np.cumsum(shingles)])
        hashes = np.empty(starts[-1], dtype=np.uint64)
        is_short = lengths < SHINGLE_CHARACTERS
        hashes[starts[:-1][is_short]] = [hash_of(texts[each]) for each in np.flatnonzero(is_short).tolist()]
        hashes[np.repeat(~is_short, shingles)] = self._of_long(
            "".join(text for text in texts if len(text) >= SHINGLE_CHARACTERS), lengths[~is_short]
        )
        return np.concatenate(
            [_smallest(hashes, starts[first : last + 1]) for first, last in _chunks(starts)]
        )

    def _of_long(self, joined: str, lengths: Positions) -> Numbers:
        """Return the hash of each shingle of texts that are at least one long, which stand one after the other."""
        points = np.frombuffer(joined.encode("utf-32-le"), dtype="<u4").astype(np.uint64)
        is_first = np.ones(len(points), dtype=bool)
        ends = np.cumsum(lengths)
        for back in range(1, SHINGLE_CHARACTERS):
            is_first[ends - back] = False
        firsts = np.flatnonzero(is_first)
        low, high = points[firsts], points[firsts + 3]
        low |= points[firsts + 1] << np.uint64(CODE_POINT_BITS)
        low |= points[firsts + 2] << np.uint64(2 * CODE_POINT_BITS)
        high |= points[firsts + 4] << np.uint64(CODE_POINT_BITS)
        places = (low * SPREAD_LOW ^ high * SPREAD_HIGH) >> self._shift
        found = self._known.take(places, axis=0)
        hashes = np.ascontiguousarray(found[:, 2])
        new = np.flatnonzero((found[:, 0] != low) | (found[:, 1] != high) | (found[:, 3] == 0))
        if len(new):
            hashes[new] = _hashed([joined[at : at + SHINGLE_CHARACTERS] for at in firsts[new].tolist()])
            ones = np.ones(len(new), dtype=np.uint64)
            self._known[places[new]] = np.stack([low[new], high[new], hashes[new], ones], axis=1)
        return hashes


def _hashed(shingles: Sequence[str]) -> list[int]:
    known = {shingle: hash_of(shingle) for shingle in set(shingles)}
    return [known[shingle] for shingle in shingles]


def _smallest(hashes: Numbers, starts: Positions) -> NDArray[np.uint32]:
    """Return each function's smallest value over the shingles between these starts."""
    chunk, own = hashes[starts[0] : starts[-1]], starts[:-1] - starts[0]
    found = np.empty((FUNCTIONS, len(own)), dtype=np.uint64)
    values = np.empty_like(chunk)
    for row, factor, offset in zip(found, FACTORS.ravel(), OFFSETS.ravel(), strict=True):
        np.multiply(chunk, factor, out=values)
        np.add(values, offset, out=values)
        np.minimum.reduceat(values, own, out=row)
    return (found >> HIGH).astype(np.uint32).T


def _pieces(texts: Sequence[str]) -> Iterator[slice]:
    """Yield groups of texts, so that a group has few characters or is one text."""
    first, characters = 0, 0
    for position, text in enumerate(texts):
        characters += len(text)
        if characters >= PIECE_CHARACTERS:
            yield slice(first, position + 1)
            first, characters = position + 1, 0
    if first < len(texts):
        yield slice(first, len(texts))


def _chunks(starts: Positions) -> Iterator[tuple[int, int]]:
    """Yield the first and the last text, exclusive, of about CHUNK shingles."""
    first = 0
    while first < len(starts) - 1:
        last = max(int(np.searchsorted(starts, starts[first] + CHUNK, side="right")) - 1, first + 1)
        yield first, last
        first = last
