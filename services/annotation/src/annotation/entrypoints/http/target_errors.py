"""HTTP problems for the refusal to take all targets from a round in progress."""

from dynabench_common.problems import ErrorMap, Problem

from annotation.domain.round import RoundWouldBeEmptied


def _emptied(_error: RoundWouldBeEmptied) -> Problem:
    return Problem(
        409,
        "round-would-be-emptied",
        "The round would have no target",
        "From the next try on nobody could fool a model in this round, and its rates would stand still.",
        field="targets",
        remedy="Name a target, or confirm that the round goes on without any.",
    )


TARGET_ERRORS: ErrorMap = {RoundWouldBeEmptied: _emptied}
