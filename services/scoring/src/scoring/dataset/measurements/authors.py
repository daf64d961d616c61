"""How evenly people wrote. Memory: a count for each person."""

from collections import Counter
from typing import Any

from scoring.dataset.measurements.reading import Reading


class Authors:
    """Counts examples by author; those of unknown authors are left out."""

    def __init__(self) -> None:
        self._examples: Counter[str] = Counter()

    def add(self, reading: Reading) -> None:
        """Count one more row."""
        if reading.row.author is not None:
            self._examples[reading.row.author] += 1

    def as_json(self) -> dict[str, Any]:
        """Return the shares of those who wrote most, and `hhi`, the sum of all squared shares (Herfindahl).

        They are of the `examples` by known authors.
        """
        total = self._examples.total()
        shares = [count / total for _, count in self._examples.most_common()]
        return {
            "people": len(shares),
            "examples": total,
            "top1_share": shares[0] if shares else None,
            "top5_share": sum(shares[:5]) if shares else None,
            "hhi": sum(share * share for share in shares) if shares else None,
        }
