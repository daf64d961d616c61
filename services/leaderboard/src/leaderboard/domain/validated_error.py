"""Verdicts of tries, and validated errors among examples, by the rule in force when they were made.

An example is never an error while it waits for votes, nor if it is retracted. Neither is a duplicate: its error belongs
to another example.
"""

from dynabench_tasks.verdict import Verdict

from leaderboard.domain.counting_rule import CountingRule
from leaderboard.domain.facts import Example, NewestResolution, StoredAnswer, Try


def is_judged(example: Example, attempt: Try, answer: StoredAnswer, rule: CountingRule) -> bool:
    """Return whether it is known if a target's answer was wrong.

    This may be known although the round's verdict depends on another target's missing answer. It is unknown without a
    claim, or before the author's verdict.
    """
    if attempt.verdict is not Verdict.UNDECIDED:
        return attempt.verdict.is_decided
    return example.authors_verdict is not None or not rule.errors.waits_for_author(attempt.claimed, answer)


def is_target_error(example: Example, answer: StoredAnswer, rule: CountingRule) -> bool:
    """Return whether the example is a validated error of the target that gave `answer`."""
    resolved = _resolved(example)
    return resolved is not None and rule.errors.is_target_error(resolved, answer)


def is_rule_error(example: Example, attempt: Try, rule: CountingRule) -> bool:
    """Return whether the example is a validated error of the round's targets taken together."""
    resolved = _resolved(example)
    return resolved is not None and rule.errors.is_rule_error(resolved, attempt.verdict, attempt.answers)


def _resolved(example: Example) -> NewestResolution | None:
    return None if example.is_retracted or example.is_duplicate else example.resolution
