"""Which resolved examples are validated errors, of one target or of the round's rule.

Under author-confirmed gold the votes must confirm the claim, and the stored answer or verdict decides.
Under majority gold the agreed golds take the claim's place and the answers are judged again. A
retracted example is never an error.
"""

from dynabench_tasks.gold import GoldPolicy
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.verdict import Verdict

from leaderboard.domain.counting_rule import CountingRule
from leaderboard.domain.facts import Answer, Example, NewestResolution, Try

OUTCOMES_WITH_GOLD = frozenset({Resolution.CORRECT, Resolution.INCORRECT, Resolution.NO_CLAIM})


def is_target_error(example: Example, answer: Answer, rule: CountingRule) -> bool:
    """Tell whether the example is a validated error of the target that gave `answer`."""
    resolution = example.resolution
    if resolution is None or example.is_retracted:
        return False
    return _is_wrong(answer, resolution, rule)


def is_rule_error(example: Example, attempt: Try, rule: CountingRule) -> bool:
    """Tell whether the example is a validated error of the round's targets taken together."""
    resolution = example.resolution
    if resolution is None or example.is_retracted:
        return False
    if rule.gold is GoldPolicy.AUTHOR_CONFIRMED:
        return resolution.outcome is Resolution.CORRECT and attempt.verdict is Verdict.FOOLED
    wrong = sum(_is_wrong(answer, resolution, rule) for answer in attempt.answers)
    return rule.ensemble.is_fooled(wrong, len(attempt.answers))


def _is_wrong(answer: Answer, resolution: NewestResolution, rule: CountingRule) -> bool:
    if answer.missing:
        return False
    if rule.gold is GoldPolicy.AUTHOR_CONFIRMED:
        return resolution.outcome is Resolution.CORRECT and answer.wrong
    has_gold = bool(resolution.golds) and resolution.outcome in OUTCOMES_WITH_GOLD
    return has_gold and rule.wrong_when.is_wrong(answer, resolution.golds)
