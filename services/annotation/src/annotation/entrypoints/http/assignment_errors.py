"""HTTP problems for refusals about assigned contexts."""

from dynabench_common.problems import ErrorMap, Problem

from annotation.domain.assignment import ContextNotAssigned, NoContexts, QuotaReached, TooManyPassedOver
from annotation.service_layer.assignments import ExplanationNeeded


def _not_assigned(_error: ContextNotAssigned) -> Problem:
    return Problem(
        409,
        "context-not-assigned",
        "Not your context",
        "You were not given this context in this round.",
        field="context_id",
        remedy="Ask for a context first, and send the id that you get.",
    )


def _quota(error: QuotaReached) -> Problem:
    return Problem(
        409,
        f"{error.scope}-quota-reached",
        "No tries left",
        "The task allows {limit} tries of one person on a {scope}. Nothing was stored.",
        field="context_id" if error.scope == "context" else "round_id",
        remedy="Go on with another {scope}.",
        parameters={"limit": error.limit, "scope": error.scope},
    )


def _no_contexts(_error: NoContexts) -> Problem:
    return Problem(
        409,
        "no-contexts",
        "No context left",
        "This round has no other context for you.",
        field="round_id",
        remedy="Go on with the one you have, choose another round, or ask the task's owner to add contexts.",
    )


def _passed_over(error: TooManyPassedOver) -> Problem:
    return Problem(
        429,
        "too-many-passed-over",
        "Many contexts left without a try",
        "One may leave {limit} contexts of a round without a try in an hour; reported ones count.",
        field="not_context_id",
        remedy="Write on the one in hand, unless you reported it. There is another in {seconds} s.",
        headers={"Retry-After": str(error.retry_after_seconds)},
        parameters={"limit": error.limit, "seconds": error.retry_after_seconds},
    )


def _explanation_needed(error: ExplanationNeeded) -> Problem:
    return Problem(
        409,
        "explanation-needed",
        "Say why it was fooled",
        "This task asks for a reason whenever a model was fooled, and example {example_id} has none yet.",
        field="explanations.model",
        remedy="Explain that example or retract it; then you get another context.",
        parameters={"example_id": error.example_id},
    )


ASSIGNMENT_ERRORS: ErrorMap = {
    ContextNotAssigned: _not_assigned,
    QuotaReached: _quota,
    NoContexts: _no_contexts,
    TooManyPassedOver: _passed_over,
    ExplanationNeeded: _explanation_needed,
}
