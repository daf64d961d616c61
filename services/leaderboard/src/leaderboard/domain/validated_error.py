"""Which tries have a verdict, and which examples are validated errors, by the rule that they were made under.

A retracted example is never an error, nor one that waits for votes, nor a duplicate: its error is another's.
"""

from dynabench_tasks.verdict import Verdict

from leaderboard.domain.counting_rule import CountingRule
from leaderboard.domain.facts import Example, NewestResolution, StoredAnswer, Try


def is_judged(example: Example, attempt: Try, answer: StoredAnswer, rule: CountingRule) -> bool:
    """Tell whether it is known if a target's answer was wrong.

    So it is also where the round's verdict hangs on another target's missing answer, and not where nothing is
    claimed or the author has yet to say.
    """
    if attempt.verdict is not Verdict.UNDECIDED:
        return attempt.verdict.is_decided
    return example.authors_verdict is not None or not rule.errors.waits_for_author(attempt.claimed, answer)


def is_target_error(example: Example, answer: StoredAnswer, rule: CountingRule) -> bool:
    """Tell whether the example is a validated error of the target that gave `answer`."""
    resolved = _resolved(example)
    return resolved is not None and rule.errors.is_target_error(resolved, answer)


def is_rule_error(example: Example, attempt: Try, rule: CountingRule) -> bool:
    """Tell whether the example is a validated error of the round's targets taken together."""
    resolved = _resolved(example)
    return resolved is not None and rule.errors.is_rule_error(resolved, attempt.verdict, attempt.answers)


def _resolved(example: Example) -> NewestResolution | None:
    return None if example.is_retracted or example.is_duplicate else example.resolution
