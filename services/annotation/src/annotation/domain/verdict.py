"""The verdict on a try: what the targets answered, and what the task's ensemble rule makes of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from dynabench_common.values import Value


class Verdict(StrEnum):
    """What the server decided."""

    FOOLED = "fooled"
    NOT_FOOLED = "not_fooled"
    UNDECIDED = "undecided"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Answer:
    """A target's answer, judged.

    `confidence`, its own probability of the answer, and `probabilities` lie in [0, 1]; `wrong` is None while only
    the author can say; digests read `sha256:...`.
    """

    target: str
    value: Value
    confidence: float | None
    probabilities: Mapping[str, float]
    wrong: bool | None
    model_digest: str
    handler_digest: str
    milliseconds: float


@dataclass(frozen=True)
class MissingAnswer:
    """A target that gave no answer in time, and why."""

    target: str
    reason: str


Answers: TypeAlias = tuple[Answer | MissingAnswer, ...]


@dataclass(frozen=True)
class Ensemble:
    """How many wrong targets fool the ensemble: all of them when `needed` is None."""

    needed: int | None

    def threshold(self, targets: int) -> int:
        """Return k for so many targets."""
        return targets if self.needed is None else self.needed

    def document(self) -> object:
        """Return the rule as its configuration says it."""
        if self.needed is None:
            return "all"
        return "any" if self.needed == 1 else {"at_least": self.needed}

    def decide(self, wrong: int, missing: int, asked: int, targets: int) -> Verdict | None:
        """Return the verdict, or None while the missing answers could still change it.

        `asked` answers wait for the author's word: the verdict is undecided if that alone can decide it. A round
        without targets asks nobody, so its tries are undecided and stand outside every rate.
        """
        if targets == 0:
            return Verdict.UNDECIDED
        threshold = self.threshold(targets)
        if wrong >= threshold:
            return Verdict.FOOLED
        if wrong + missing + asked < threshold:
            return Verdict.NOT_FOOLED
        return Verdict.UNDECIDED if asked and not missing else None


def decide(ensemble: Ensemble, answers: Answers) -> Verdict | None:
    """Return the verdict on these answers, or None if they don't decide it."""
    given = [answer for answer in answers if isinstance(answer, Answer)]
    wrong = sum(answer.wrong is True for answer in given)
    asked = sum(answer.wrong is None for answer in given)
    return ensemble.decide(wrong, len(answers) - len(given), asked, len(answers))
