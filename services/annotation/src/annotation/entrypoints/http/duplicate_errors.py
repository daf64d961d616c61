"""HTTP problems for refusals to let a duplicate count."""

from dynabench_common.problems import ErrorMap, Problem

from annotation.domain.example import NoDuplicate, OwnExample


def _no_duplicate(_error: NoDuplicate) -> Problem:
    return Problem(
        409,
        "no-duplicate",
        "Not held for a duplicate",
        "The example counts as any other: no earlier text is equal to it, or an owner has said so before.",
        field="example_id",
        remedy="Leave it as it is.",
    )


def _own_example(_error: OwnExample) -> Problem:
    return Problem(
        403,
        "own-example",
        "Your own example",
        "Owners decide nothing about examples that they wrote.",
        field="example_id",
        remedy="Ask another owner of the task or an administrator to decide.",
    )


DUPLICATE_ERRORS: ErrorMap = {NoDuplicate: _no_duplicate, OwnExample: _own_example}
