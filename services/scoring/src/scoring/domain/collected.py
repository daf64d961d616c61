"""Counts over a whole round, taken while a dataset is written. Examples outside every split count too."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from dynabench_tasks.validated_error import GoldPolicy

from scoring.dataset.agreement import Agreement
from scoring.domain.facts import ExampleFacts
from scoring.domain.round_facts import RoundFacts

COUNTED_VERDICTS = frozenset({"fooled", "not_fooled"})
HARVESTED = "harvested"
COUNTED = ("tries", "fooled", "retracted", "votes", "fooled_resolved", "fooled_correct")


class Collected:
    """Counts of a round's examples and votes.

    A try is an example with a verdict. One that its author withdrew stays a try and is neither fooling nor an error.
    `fooled_correct` of `fooled_resolved` is the validity of fooling, as the leaderboard counts it.
    """

    def __init__(self, round_facts: RoundFacts) -> None:
        self._round = round_facts
        validation = round_facts.configuration.get("validation") or {}
        self._agreement = Agreement(first_two_only="adaptive" in (validation.get("policy") or {}))
        self._counts: Counter[str] = Counter()

    def add(self, example: ExampleFacts) -> None:
        """Count one more example."""
        is_fooling = example.verdict == "fooled" and not example.is_retracted
        answers = [answer for vote in example.votes if (answer := vote.answer) is not None]
        self._counts["tries"] += example.verdict in COUNTED_VERDICTS
        self._counts["fooled"] += is_fooling
        self._counts["fooled_resolved"] += is_fooling and _is_answered(example.resolution, answers)
        self._counts["fooled_correct"] += is_fooling and example.resolution == "correct"
        self._counts["retracted"] += example.is_retracted
        self._counts["votes"] += len(example.votes)
        if not example.is_retracted:
            self._agreement.add(answers)

    def as_json(self) -> dict[str, Any]:
        """Return the counts, the shares of tries where they mean something, and the agreement of votes.

        Under majority gold, answers must be compared with the agreed label, which the leaderboard does. A harvest
        chooses its texts by their answers, so its shares mean nothing.
        """
        counts = {name: self._counts[name] for name in COUNTED}
        confirmed = self._round.newest_rules.gold is GoldPolicy.AUTHOR_CONFIRMED
        errors = self._counts["fooled_correct"] if confirmed else None
        has_rates = counts["tries"] > 0 and self._round.origin != HARVESTED
        return {
            **counts,
            "validated_errors": errors,
            "mer": counts["fooled"] / counts["tries"] if has_rates else None,
            "vmer": errors / counts["tries"] if has_rates and errors is not None else None,
            "agreement": self._agreement.as_json(),
        }


def _is_answered(resolution: str | None, answers: Sequence[str]) -> bool:
    """Return whether it is resolved, and not as disputed only because every voter was unsure."""
    return resolution is not None and (resolution != "disputed" or bool(answers))
