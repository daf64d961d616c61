"""The reveal after a final vote: the author's claim and reason, and the models' answers.

The answers of models are given for half of the examples, drawn by a hash of the example's id and a secret. A voter who
could compute the draw would know a known item, which has an id of its own. An attention check has none. The answers on
an example of another round would be of that round's models, so its known item has none either. Such known items look
like the other half.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from dynabench_tasks.values import Value

from validation.domain.rules import ValidationRules
from validation.domain.selection import share_position

SHARE_WITH_MODELS = 0.5


@dataclass(frozen=True)
class ModelAnswer:
    """A model's answer as a value text, with its own probability of it if it gave one."""

    value: str
    confidence: float | None


@dataclass(frozen=True)
class Disclosure:
    """The author's reason, empty for none, and the answers of models in the order of the round's targets."""

    explanation: str = ""
    models: tuple[ModelAnswer, ...] = ()

    def reveal(self, claimed: str, rules: ValidationRules) -> dict[str, Any]:
        """Return the document with the author's claim."""
        models = [{"value": _value(each.value, rules), "confidence": each.confidence} for each in self.models]
        return {"claimed": rules.claim(claimed), "explanation": self.explanation or None, "models": models}


def _value(text: str, rules: ValidationRules) -> Value | None:
    """Return a model's answer; one that is no value of the claimed field as its text."""
    try:
        return rules.claim(text)
    except ValueError:
        return text


def answers_of_models(
    key: UUID, example_id: UUID | None, targets: Iterable[Mapping[str, Any]] | None
) -> tuple[ModelAnswer, ...]:
    """Return the answers on an example that its voters read; none without an example, or for the other half.

    The draw is separate from that of the sample to validate, whose examples would otherwise all be of one half.
    """
    if example_id is None or share_position(uuid5(key, str(example_id))) >= SHARE_WITH_MODELS:
        return ()
    return tuple(
        ModelAnswer(target["value"], target["confidence"]) for target in targets or () if target.get("value")
    )
