"""HTTP problems for refusals of decisions, appeals and requeueing."""

from dynabench_common.problems import ErrorMap, Problem

from validation.domain import errors


def _round_released(_error: errors.RoundReleased) -> Problem:
    return Problem(
        409,
        "round-released",
        "The round is released",
        "A released round never changes, so that others can cite it.",
        field="round_id",
        remedy="Put what you found into the next round.",
    )


def _own_decision(error: errors.OwnDecision) -> Problem:
    return Problem(
        403,
        "own-example",
        "Your own example",
        "Owners decide nothing about examples that they wrote, such as {example_id}.",
        field="example_id",
        remedy="Ask another owner of the task or an administrator to decide.",
        parameters={"example_id": error.example_id},
    )


def _not_adjudicated(_error: errors.NotAdjudicated) -> Problem:
    return Problem(
        409,
        "not-adjudicated",
        "Nothing to reverse",
        "No owner's decision stands on the example.",
        field="example_id",
        remedy="Decide the example, or ask people anew about it.",
    )


def _appeal_of_another(_error: errors.AppealOfAnother) -> Problem:
    return Problem(
        403,
        "example-of-another",
        "Another person's example",
        "Only its author appeals against what became of an example.",
        field="example_id",
        remedy="Appeal about your own examples.",
    )


def _already_appealed(_error: errors.AlreadyAppealed) -> Problem:
    return Problem(
        409,
        "already-appealed",
        "You have appealed",
        "An author appeals once about an example, and you have done so.",
        field="example_id",
        remedy="Read the owner's answer beside the votes on the example.",
    )


def _nothing_to_appeal(error: errors.NothingToAppeal) -> Problem:
    reason = "It is resolved as you claim." if error.resolution else "It is not resolved yet."
    return Problem(
        409,
        "nothing-to-appeal",
        "Nothing to appeal against",
        reason,
        field="example_id",
        remedy="Appeal once the example is resolved against your claim.",
    )


def _not_in_round(error: errors.ExampleNotInRound) -> Problem:
    return Problem(
        422,
        "example-not-in-round",
        "Not an example of the round",
        "The round has no example {example_id}. Nothing was changed.",
        field="example_ids",
        remedy="Leave it out, or name the round it belongs to.",
        parameters={"example_id": error.example_id},
    )


DECISION_ERRORS: ErrorMap = {
    errors.RoundReleased: _round_released,
    errors.OwnDecision: _own_decision,
    errors.NotAdjudicated: _not_adjudicated,
    errors.AppealOfAnother: _appeal_of_another,
    errors.AlreadyAppealed: _already_appealed,
    errors.NothingToAppeal: _nothing_to_appeal,
    errors.ExampleNotInRound: _not_in_round,
}
