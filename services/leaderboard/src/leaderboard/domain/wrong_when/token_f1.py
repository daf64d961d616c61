"""Wrong when the token F1 of answer and gold, best over the golds, is under a threshold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.token_f1 import best_token_f1
from dynabench_tasks.values import from_text

from leaderboard.domain.facts import Answer
from leaderboard.domain.wrong_when import UnknownWrongWhen, register


@dataclass(frozen=True, slots=True)
class TokenF1:
    """The answer's best token F1 must reach `below`; of spans the covered texts are compared."""

    below: float
    is_span: bool

    def is_wrong(self, answer: Answer, golds: Sequence[str]) -> bool:
        """Tell whether the answer is too far from every gold."""
        return best_token_f1(self._words(answer.value), map(self._words, golds)) < self.below

    def _words(self, value: str) -> str:
        """Return what is compared; a text that stands for no span is taken as it is."""
        if not self.is_span:
            return value
        try:
            span = from_text(value, "span")
        except ValueError:
            return value
        return str(span.get("text", "")) if isinstance(span, Mapping) else value


@register("token_f1")
def read(parameters: Mapping[str, Any], output_types: Mapping[str, str]) -> TokenF1:
    """Return the rule. Raises UnknownWrongWhen for a threshold outside 0 to 1 or a field that is no text."""
    below, field = parameters.get("below"), parameters.get("field", "")
    if isinstance(below, bool) or not isinstance(below, int | float) or not 0 <= below <= 1:
        raise UnknownWrongWhen(f"wrong_when.token_f1.below: {below!r} is no number from 0 to 1")
    type_name = output_types.get(field)
    if type_name not in {"span", "string"}:
        raise UnknownWrongWhen(f"wrong_when.token_f1.field: {field!r} is no span or string of the output")
    return TokenF1(float(below), type_name == "span")
