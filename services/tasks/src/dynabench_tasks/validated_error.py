"""Resolved examples that are validated errors, of one target or of the round's rule (DOMAIN: validated error).

Under author-confirmed gold the votes must confirm the claim, and the stored answer or verdict decides. Under majority
gold the agreed golds replace the claim, and the answers are judged again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import Field, from_text
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.values import Value
from dynabench_tasks.verdict import Ensemble, Verdict
from dynabench_tasks.wrong_when import WrongRule

RESOLUTIONS_WITH_GOLD = frozenset({Resolution.CORRECT, Resolution.INCORRECT, Resolution.NO_CLAIM})


class GoldPolicy(StrEnum):
    """The source of the gold: the author's answer if votes confirm it, or the answer of most voters."""

    AUTHOR_CONFIRMED = "author_confirmed"
    MAJORITY = "majority"


class JudgedAnswer(Protocol):
    """A target's stored answer: its value text, whether it was found wrong, and whether there is none."""

    @property
    def value(self) -> str: ...  # noqa: D102
    @property
    def wrong(self) -> bool: ...  # noqa: D102
    @property
    def is_given(self) -> bool: ...  # noqa: D102


class ResolvedExample(Protocol):
    """The resolution of an example by votes or the owner; `golds` are value texts, none without an agreed answer."""

    @property
    def outcome(self) -> Resolution: ...  # noqa: D102
    @property
    def golds(self) -> tuple[str, ...]: ...  # noqa: D102


def has_gold(resolved: ResolvedExample) -> bool:
    """Return whether an agreed answer stands as gold."""
    return bool(resolved.golds) and resolved.outcome in RESOLUTIONS_WITH_GOLD


@dataclass(frozen=True, slots=True)
class ErrorRule:
    """A configuration's rule of validated errors; `wrong_when` and `claimed` are used under majority gold."""

    gold: GoldPolicy
    ensemble: Ensemble
    wrong_when: WrongRule
    claimed: Field

    def is_target_error(self, resolved: ResolvedExample, answer: JudgedAnswer) -> bool:
        """Return whether a resolved example is a validated error of the target that gave `answer`."""
        if not answer.is_given:
            return False
        if self.gold is GoldPolicy.AUTHOR_CONFIRMED:
            return resolved.outcome is Resolution.CORRECT and answer.wrong
        return has_gold(resolved) and self._is_wrong_by_golds(resolved.golds, answer)

    def is_rule_error(
        self, resolved: ResolvedExample, verdict: Verdict, answers: Sequence[JudgedAnswer]
    ) -> bool:
        """Return whether a resolved example is a validated error of the round's targets taken together."""
        if self.gold is GoldPolicy.AUTHOR_CONFIRMED:
            return resolved.outcome is Resolution.CORRECT and verdict is Verdict.FOOLED
        wrong = sum(self.is_target_error(resolved, answer) for answer in answers)
        return self.ensemble.is_fooled(wrong, len(answers))

    def may_be_error(self, *, is_fooled: bool) -> bool:
        """Return whether votes can still make an error of a try that did, or did not, fool by its stored answers."""
        return is_fooled or self.gold is not GoldPolicy.AUTHOR_CONFIRMED

    def waits_for_author(self, claimed: str, answer: JudgedAnswer) -> bool:
        """Return whether only the author can say if an answer is wrong."""
        return self.wrong_when.is_wrong(self._value(claimed), self._value(answer.value)) is None

    def _is_wrong_by_golds(self, golds: Sequence[str], answer: JudgedAnswer) -> bool:
        """Return whether an answer is wrong by every gold; if only the author can judge, their judgement counts."""
        answered = self._value(answer.value)
        judged = [self.wrong_when.is_wrong(self._value(gold), answered) for gold in golds]
        return answer.wrong if None in judged else all(judged)

    def _value(self, text: str) -> Value:
        """Return the value of a value text; a text that stands for none is taken as it is."""
        try:
            return from_text(text, self.claimed.type_name)
        except ValueError:
            return text


def error_rule(configuration: TaskConfiguration) -> ErrorRule:
    """Return the configuration's rule of validated errors."""
    return ErrorRule(
        GoldPolicy(configuration.validation.gold),
        configuration.ensemble,
        configuration.wrong_when,
        configuration.claimed_field,
    )
