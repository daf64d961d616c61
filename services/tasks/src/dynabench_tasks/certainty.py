"""A target's certainty of its answer, as far as its prediction shows it."""

from collections.abc import Iterable, Mapping
from typing import Any

from dynabench_tasks.fields import AnswerUnreadable
from dynabench_tasks.values import Value


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


def margin(value: Value, probabilities: Mapping[str, float], confidence: float | None) -> float | None:
    """Return the lead of an answer's probability, in [0, 1]; None if the target gives no probability.

    For one of several labels it is the lead over the second label. In a set of labels each label has its own
    probability: the margin is the lead of the least certain label over its opposite. If only the answer's own
    probability, `confidence`, is known, it is the lead over everything else together.
    `value` may be the answer or its value text.
    """
    ranked = sorted(probabilities.values(), reverse=True)
    if isinstance(value, str) and value in probabilities:
        return ranked[0] - ranked[1] if len(ranked) > 1 else None
    if ranked:
        return min(abs(2 * share - 1) for share in ranked)
    return None if confidence is None else max(0.0, 2 * confidence - 1)


def smallest_margin(margins: Iterable[float | None]) -> float | None:
    """Return the margin of the least sure target; None if none says how sure it is."""
    return min((each for each in margins if each is not None), default=None)


def _share(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= 1.0:
        return float(value)
    raise AnswerUnreadable("with a probability that is none")
