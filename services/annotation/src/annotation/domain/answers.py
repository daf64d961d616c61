"""How sure a target is of its answer, as far as its prediction tells."""

from collections.abc import Mapping
from typing import Any

from dynabench_common.values import Value

from annotation.domain.fields import AnswerUnreadable


def read_probabilities(prediction: Mapping[str, Any]) -> dict[str, float]:
    """Return the probability of each label, none if the target gives none. Raises AnswerUnreadable."""
    given = prediction.get("probabilities")
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise AnswerUnreadable("with probabilities that are no mapping")
    return {str(label): _share(share) for label, share in given.items()}


def read_confidence(
    prediction: Mapping[str, Any], value: Value, probabilities: Mapping[str, float]
) -> float | None:
    """Return the target's probability of `value`, None if nothing tells it.

    It is what the target states, the probability of the label, or that of the least sure label of a set. Raises
    AnswerUnreadable.
    """
    if prediction.get("probability") is not None:
        return _share(prediction["probability"])
    if isinstance(value, str):
        return probabilities.get(value)
    if isinstance(value, Mapping) or not probabilities:
        return None
    return min(share if label in value else 1.0 - share for label, share in probabilities.items())


def _share(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= 1.0:
        return float(value)
    raise AnswerUnreadable("with a probability that is none")
