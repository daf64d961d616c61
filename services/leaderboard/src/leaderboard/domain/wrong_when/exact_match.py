"""Wrong when the answer is none of the golds; equal values have equal texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leaderboard.domain.facts import Answer
from leaderboard.domain.wrong_when import register


@dataclass(frozen=True, slots=True)
class ExactMatch:
    """The answer must equal a gold."""

    def is_wrong(self, answer: Answer, golds: Sequence[str]) -> bool:
        """Tell whether the answer differs from every gold."""
        return answer.value not in golds


@register("exact_match")
def read(_parameters: Mapping[str, Any], _output_types: Mapping[str, str]) -> ExactMatch:
    """Return the rule; which fields it names makes no difference, since one field alone is claimed."""
    return ExactMatch()
