"""Distribution of examples over authors. Memory: three numbers for each person."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.dataset.measurements.reading import Batch
from scoring.dataset.measurements.tally import Tally


class Authors:
    """Counts examples by author; those of unknown authors are left out."""

    def __init__(self) -> None:
        self._examples = Tally()

    def add(self, batch: Batch) -> None:
        """Count some more rows."""
        self._examples.add(batch.author_keys[batch.has_author])

    def as_json(self) -> dict[str, Any]:
        """Return the shares of those who wrote most, and `hhi`, the sum of all squared shares (Herfindahl).

        They are of the `examples` by known authors.
        """
        _, counts, _ = self._examples.all()
        total = int(counts.sum())
        shares: NDArray[np.float64] = np.sort(counts)[::-1] / max(total, 1)
        return {
            "people": len(shares),
            "examples": total,
            "top1_share": float(shares[0]) if total else None,
            "top5_share": sum(shares[:5].tolist()) if total else None,
            "hhi": sum((shares * shares).tolist()) if total else None,
        }
