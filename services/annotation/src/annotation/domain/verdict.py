"""The verdict on a try: the targets' answers, judged by the task's ensemble rule."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from dynabench_tasks.values import Value
from dynabench_tasks.verdict import Ensemble, Verdict


@dataclass(frozen=True)
class TargetAnswer:
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


@dataclass(frozen=True)
class UnaskedAnswer:
    """A target that was not asked, since one of an earlier tier was right."""

    target: str


Answer: TypeAlias = TargetAnswer | MissingAnswer | UnaskedAnswer
Answers: TypeAlias = tuple[Answer, ...]


def decide(ensemble: Ensemble, answers: Answers) -> Verdict | None:
    """Return the verdict on these answers, or None if they don't decide it."""
    given = [answer for answer in answers if isinstance(answer, TargetAnswer)]
    wrong = sum(answer.wrong is True for answer in given)
    asked = sum(answer.wrong is None for answer in given)
    return ensemble.decide(wrong, len(answers) - len(given), asked, len(answers))
