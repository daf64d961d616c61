"""Which examples are validated errors, by the rule of the configuration that they were made under.

A retracted example is never an error, nor one that waits for votes.
"""

from leaderboard.domain.counting_rule import CountingRule
from leaderboard.domain.facts import Answer, Example, NewestResolution, Try


def is_target_error(example: Example, answer: Answer, rule: CountingRule) -> bool:
    """Tell whether the example is a validated error of the target that gave `answer`."""
    resolved = _resolved(example)
    return resolved is not None and rule.errors.is_target_error(resolved, answer)


def is_rule_error(example: Example, attempt: Try, rule: CountingRule) -> bool:
    """Tell whether the example is a validated error of the round's targets taken together."""
    resolved = _resolved(example)
    return resolved is not None and rule.errors.is_rule_error(resolved, attempt.verdict, attempt.answers)


def _resolved(example: Example) -> NewestResolution | None:
    return None if example.is_retracted else example.resolution
