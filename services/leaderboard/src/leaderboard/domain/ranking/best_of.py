"""Selection bias of the best of n: among equally good models, the best leads by luck alone.

The expected maximum of n independent standard normals is `∫ (1 - Φ(x)^n) dx over x > 0  -  ∫ Φ(x)^n dx over x < 0`
(H. David, H. Nagaraja, "Order Statistics", 2003, section 3.1: the mean of the largest of n; n = 2: 1 / √π). Times the
standard error of a score, this is the expected gain of the best of n over the common worth of all. Models that
answer the same items err partly together, so the gain is at most this.
"""

from functools import lru_cache
from math import erf, sqrt

import numpy as np

FARTHEST = 9.0
STEPS = 4_001
MOST = 1_000_000


@lru_cache(maxsize=1_024)
def expected_maximum(n: int) -> float:
    """Return the expected largest of n standard normals; 0 for one. Raises ValueError below one."""
    if n < 1:
        raise ValueError("there is no largest of none")
    places = np.linspace(-FARTHEST, FARTHEST, STEPS)
    below = np.array([0.5 * (1 + erf(place / sqrt(2))) for place in places]) ** min(n, MOST)
    outside = np.where(places > 0, 1 - below, -below)
    outside[places == 0] = (1 - 2 * below[places == 0]) / 2
    return float(np.trapezoid(outside, places))


def gain_of_best(n: int, standard_error: float) -> float:
    """Return by how many points of score the best of n equal models is expected to be ahead."""
    return expected_maximum(n) * standard_error
