"""MinHash bands and sketches of sixteen bytes, to find similar texts in large datasets.

Texts that share a band are candidates (`dynabench_tasks.near_duplicates`). Two sketches show, without the texts,
whether a candidate may be a near duplicate. A sketch has the last two bits of 64 of the smallest values. At a
similarity of 0.8, 85 % of them are equal; a quarter are equal by chance.
"""

import numpy as np
from dynabench_tasks.near_duplicates import BANDS, ROWS
from numpy.typing import NDArray

SKETCHED = 64
LEAST_ALIKE = 40
"""Fewer of the sketched values seem equal in 2 of 1,000,000 pairs of similarity 0.8, in 98.9 % of those of 0.3."""
FACTOR, SHIFT = np.uint64(0xFF51AFD7ED558CCD), np.uint64(32)

Sketches = NDArray[np.uint64]


def bands_of(smallest: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Return a number for each band of each text, from its smallest values."""
    values = smallest.reshape(-1, BANDS, ROWS)
    found = np.zeros(values.shape[:2], dtype=np.uint64)
    for row in range(ROWS):
        found ^= values[:, :, row]
        found *= FACTOR
        found ^= found >> SHIFT
    return found.view(np.int64)


def sketches_of(smallest: NDArray[np.uint32]) -> Sketches:
    """Return the sketch of each text: the last bits of its values in one number, the next to last in the other."""
    bits = [(smallest[:, :SKETCHED] >> np.uint32(place)) & np.uint32(1) for place in range(2)]
    packed = np.concatenate([np.packbits(each.astype(bool), axis=1) for each in bits], axis=1)
    return packed.view(np.uint64)


def are_alike(one: Sketches, other: Sketches) -> NDArray[np.bool_]:
    """Tell of each pair of sketches whether the texts may be nearly the same."""
    differ = one ^ other
    equal: NDArray[np.bool_] = SKETCHED - np.bitwise_count(differ[:, 0] | differ[:, 1]) >= LEAST_ALIKE
    return equal
