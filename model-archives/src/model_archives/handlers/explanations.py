"""Answers explanation requests of any task type; what is explained is the task type's."""

from collections.abc import Callable, Sequence
from typing import Any

from .attribution import Attribution
from .encoded_text import EncodedText
from .explanation_options import ExplanationOptions, explanation_options
from .serving import Answer, answer_alone
from .token_weights import token_weights
from .wire import Request, RequestError

MAX_EXPLANATIONS = 16
Explain = Callable[[Any, ExplanationOptions], Answer]


class Explanations:
    """Explanations one after another: each is a batch of its own. `explain` answers one instance."""

    max_instances = MAX_EXPLANATIONS

    def __init__(self, explain: Explain) -> None:
        self._explain = explain

    def answer(self, requests: Sequence[Request]) -> list[Answer | RequestError]:
        """One answer per request; unusable parameters refuse that request alone."""
        return [self._explanations(request) for request in requests]

    def _explanations(self, request: Request) -> Answer | RequestError:
        try:
            options = explanation_options(request.parameters)
        except RequestError as error:
            return error
        return {
            "explanations": [
                answer_alone(instance, lambda batch: [self._explain(batch[0], options)])
                for instance in request.instances
            ]
        }


def explanation(
    label: str,
    probability: float,
    fields: Sequence[str],
    texts: Sequence[str],
    encoded: EncodedText,
    attribution: Attribution,
    options: ExplanationOptions,
) -> Answer:
    """The entry of one instance as every task type answers it."""
    return {
        "label": label,
        "probability": probability,
        "tokens": token_weights(fields, texts, encoded, attribution.weights),
        "convergence_delta": attribution.delta,
        "difference": attribution.difference,
        "n_steps": attribution.steps,
        "method": options.method,
        "baseline": options.baseline,
    }
