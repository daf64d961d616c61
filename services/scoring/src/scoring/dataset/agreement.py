"""Agreement of votes on the same example: raw, and Krippendorff's alpha for nominal values.

`dynabench_tasks.statistics.agreement` has the formulas.

Under an adaptive policy later votes exist only where the first two differ. So only the first two votes of each example
are compared. Examples with the same votes are stored once with a count, so memory is bounded by the number of possible
votes.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Any, TypeAlias

from dynabench_tasks.statistics.agreement import agreement
from dynabench_tasks.statistics.vote_table import VoteTable, option_pattern, table_of

TOO_MANY = "undefined: answers are no options of a list"
MOST_OPTIONS = 100
Pattern: TypeAlias = tuple[tuple[str, int], ...]


class Agreement:
    """Counts what the votes on each example say."""

    def __init__(self, *, first_two_only: bool) -> None:
        self._first_two_only = first_two_only
        self._patterns: Counter[Pattern] = Counter()
        self._options: set[str] = set()

    def add(self, answers: Iterable[str]) -> None:
        """Take in the votes on one more example, in the order in which they were cast."""
        given = Counter(islice(answers, 2) if self._first_two_only else answers)
        if given.total() > 1 and len(self._options) <= MOST_OPTIONS:
            self._options.update(given)
            self._patterns[tuple(sorted(given.items()))] += 1

    def as_json(self) -> dict[str, Any]:
        """Return both measures, None if undefined, then with the `reason`."""
        found = agreement(self._table()) if len(self._options) <= MOST_OPTIONS else None
        return {
            "basis": "first_two_votes" if self._first_two_only else "all_votes",
            "examples": self._patterns.total(),
            "raw": found.raw.value if found else None,
            "krippendorff_alpha": found.krippendorff_alpha.value if found else None,
            "reason": found.krippendorff_alpha.reason if found else TOO_MANY,
        }

    def _table(self) -> VoteTable:
        return table_of(
            (option_pattern(Counter(dict(votes)).elements()), n) for votes, n in self._patterns.items()
        )
