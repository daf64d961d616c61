"""Validated errors among known facts: of single targets, and of the round's targets taken together.

An error is what the leaderboard counts as one: resolved, not withdrawn, no duplicate, and wrong by the task's rule.
"""

from dataclasses import dataclass

from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.validated_error import error_rule
from dynabench_tasks.verdict import Verdict

from scoring.domain.facts import ExampleFacts

OF_A_MODEL, OF_UNANIMITY = 4, 2


@dataclass(frozen=True)
class GivenAnswer:
    """A target's answer as a value text; not given if it came too late or the target was not asked."""

    target: str
    value: str
    wrong: bool
    is_given: bool
    confidence: float | None


@dataclass(frozen=True)
class ValidatedErrors:
    """The answers that an example is a validated error of, and whether it is one by the round's rule."""

    of_targets: tuple[GivenAnswer, ...] = ()
    of_rule: bool = False

    @property
    def targets(self) -> tuple[str, ...]:
        """Return the names of the targets that were wrong."""
        return tuple(answer.target for answer in self.of_targets)


@dataclass(frozen=True)
class _Resolved:
    outcome: Resolution
    golds: tuple[str, ...]


NONE = ValidatedErrors()


def validated_errors(example: ExampleFacts, configuration: TaskConfiguration | None) -> ValidatedErrors:
    """Return what the example is a validated error of; nothing while its configuration is not known."""
    is_counted = not example.is_retracted and example.duplicate_of is None
    if configuration is None or not is_counted or example.resolution is None:
        return NONE
    rule = error_rule(configuration)
    resolved = _Resolved(Resolution(example.resolution), tuple(example.golds))
    answers = [
        GivenAnswer(
            target=given["target"],
            value=given["value"],
            wrong=bool(given["wrong"]),
            is_given=not given["missing"] and not given.get("not_asked"),
            confidence=given.get("confidence"),
        )
        for given in example.answers
    ]
    return ValidatedErrors(
        tuple(answer for answer in answers if rule.is_target_error(resolved, answer)),
        rule.is_rule_error(resolved, Verdict(example.verdict), answers),
    )


def has_text(example: ExampleFacts) -> bool:
    """Return whether the author wrote anything."""
    return any(text.strip() for text in example.input.values())


def merit(example: ExampleFacts, errors: ValidatedErrors) -> float:
    """Return the number that sorts the best examples last: more models fooled, then unanimous votes, then confidence.

    Confidence is the mean of the wrong models, from 0 to 1 and 0 where it is not known. So it never outweighs
    unanimity, nor both together another model.
    """
    answers = {vote.answer for vote in example.votes if vote.answer is not None}
    stated = [min(max(answer.confidence or 0.0, 0.0), 1.0) for answer in errors.of_targets]
    certainty = sum(stated) / len(stated) if stated else 0.0
    return OF_A_MODEL * len(errors.of_targets) + OF_UNANIMITY * (len(answers) == 1) + certainty
