"""HTTP problems for refusals about validators' standing and about known items."""

from dynabench_common.problems import ErrorMap, Problem, not_found

from validation.domain import quality_errors as errors


def _paused(error: errors.ValidationPaused) -> Problem:
    return Problem(
        403,
        "validation-paused",
        "Your validation is paused",
        "You missed too many items whose answer is known, or the task's owner paused you. Nothing was stored.",
        remedy="Appeal to the task's owner." if error.can_appeal else "Wait for the task's owner to decide.",
    )


def _not_paused(_error: errors.NotPaused) -> Problem:
    return Problem(
        409,
        "not-paused",
        "Nothing to appeal against",
        "Your validation of this task is not paused.",
        remedy="Go on validating.",
    )


def _appealed_before(_error: errors.AlreadyAppealedPause) -> Problem:
    return Problem(
        409,
        "pause-appealed-before",
        "You have appealed",
        "One appeal against a pause is heard, and yours was sent.",
        remedy="Wait for the task's owner to decide.",
    )


QUALITY_ERRORS: ErrorMap = {
    errors.ValidationPaused: _paused,
    errors.NotPaused: _not_paused,
    errors.AlreadyAppealedPause: _appealed_before,
    errors.TaskUnknown: lambda _: not_found("task", "slug"),
    errors.ValidatorUnknown: lambda _: not_found("validator", "voter_id"),
    errors.GoldUnknown: lambda _: not_found("gold item", "gold_id"),
}
