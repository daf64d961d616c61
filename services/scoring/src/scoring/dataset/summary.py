"""Counts over a dataset's rows, taken while they are written."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from scoring.dataset.rows import ExampleRow, Stability

VERDICTS_COUNTED = ("fooled", "not_fooled")
STABILITY = (STABLE, NOT_STABLE, NOT_TRIED) = ("stable", "not_stable", "not_tried")


@dataclass
class Summary:
    """Counts over rows; `votes_by_number` has the number of examples by their counted votes.

    `unknown_authors` counts examples without a known author, by split. `stability` counts validated errors, each of
    one target, by the result of repeated calls.
    """

    examples: int = 0
    splits: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    resolutions: Counter[str] = field(default_factory=Counter)
    cohorts: Counter[str] = field(default_factory=Counter)
    conditions: Counter[str] = field(default_factory=Counter)
    votes_by_number: Counter[int] = field(default_factory=Counter)
    unknown_authors: Counter[str] = field(default_factory=Counter)
    stability: Counter[str] = field(default_factory=Counter)

    def add(self, row: ExampleRow) -> None:
        """Count one more row."""
        self.examples += 1
        self.splits[row.split or "none"] += 1
        self.verdicts[row.verdict] += 1
        self.resolutions[row.resolution or "not validated"] += 1
        self.cohorts[row.cohort] += 1
        self.conditions[row.condition or "none"] += 1
        self.votes_by_number[len(row.votes)] += 1
        self.stability.update(_said(each) for each in row.stability or ())
        if row.author is None:
            self.unknown_authors[row.split or "none"] += 1

    @property
    def decided(self) -> int:
        """Return how many examples have a verdict."""
        return sum(self.verdicts[name] for name in VERDICTS_COUNTED)

    def as_json(self) -> dict[str, Any]:
        """Return the counts for cards and answers."""
        return {
            "examples": self.examples,
            "splits": dict(sorted(self.splits.items())),
            "verdicts": dict(sorted(self.verdicts.items())),
            "resolutions": dict(sorted(self.resolutions.items())),
            "cohorts": dict(sorted(self.cohorts.items())),
            "conditions": dict(sorted(self.conditions.items())),
            "votes": sum(number * examples for number, examples in self.votes_by_number.items()),
            "decided": self.decided,
            "fooled": self.verdicts["fooled"],
            "unknown_authors": dict(sorted(self.unknown_authors.items())),
            "stability": {name: self.stability[name] for name in STABILITY},
        }


def _said(each: Stability) -> str:
    if each.stable is None:
        return NOT_TRIED
    return STABLE if each.stable else NOT_STABLE
