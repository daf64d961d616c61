"""Wrong when the author said so: what they decided stands, whatever the golds are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leaderboard.domain.facts import Answer
from leaderboard.domain.wrong_when import register


@dataclass(frozen=True, slots=True)
class AskAnnotator:
    """The decision that came with the answer stands."""

    def is_wrong(self, answer: Answer, _golds: Sequence[str]) -> bool:
        """Tell whether the author decided that the answer is wrong."""
        return answer.wrong


@register("ask_annotator")
def read(_parameters: Mapping[str, Any], _output_types: Mapping[str, str]) -> AskAnnotator:
    """Return the rule."""
    return AskAnnotator()
