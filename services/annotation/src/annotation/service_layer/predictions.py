"""Predictions of all targets of a try at once, within one deadline.

The caller has no transaction open meanwhile. A target that fails or is late is a missing answer with a reason. The
verdict rule decides whether that matters.
"""

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, wait
from contextvars import copy_context
from dataclasses import dataclass
from typing import TypeAlias

from dynabench_tasks.certainty import read_confidence, read_probabilities
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.configuration.tiers import in_tiers
from dynabench_tasks.fields import AnswerUnreadable
from dynabench_tasks.values import Value
from dynabench_tasks.verdict import Verdict

from annotation.domain.errors import PredictionFailed
from annotation.domain.target import Prediction
from annotation.domain.verdict import (
    Answer,
    Answers,
    MissingAnswer,
    TargetAnswer,
    UnaskedAnswer,
    decide,
)
from annotation.service_layer.dependencies import Dependencies

DEFAULT_RETRY_SECONDS = 2
LEAST_SECONDS = 0.05
"""With less left than this a tier is not begun: no target answers so fast."""


@dataclass(eq=False)
class Undecidable(Exception):
    """Too few targets answered to decide the verdict."""

    missing: tuple[MissingAnswer, ...]
    retry_after_seconds: int


@dataclass(frozen=True)
class Written:
    """A person's text on a context, and their claim for it: None where nothing is claimed."""

    context: Mapping[str, Value]
    input: Mapping[str, Value]
    claimed: Value | None


@dataclass(frozen=True)
class Judgement:
    """The targets' answers in the round's order, the verdict, and the total time."""

    answers: Answers
    verdict: Verdict
    milliseconds: float


@dataclass(frozen=True)
class _Timed:
    prediction: Prediction
    milliseconds: float


Question: TypeAlias = Mapping[str, "Future[_Timed]"]


def judge(
    targets: tuple[str, ...],
    configuration: TaskConfiguration,
    written: Written,
    app: Dependencies,
) -> Judgement:
    """Return the verdict on a person's text.

    Raises Undecidable, and TargetRefusesInput if a target will never take the text.
    """
    started = time.perf_counter()
    retry_after: list[int] = []
    answers = _ask_in_tiers(targets, configuration, written, app, retry_after)
    verdict = decide(configuration.ensemble, answers)
    if verdict is None:
        raise undecidable(answers, retry_after)
    return Judgement(answers, verdict, _milliseconds_since(started))


def _ask_in_tiers(
    targets: tuple[str, ...],
    configuration: TaskConfiguration,
    written: Written,
    app: Dependencies,
    retry_after: list[int],
) -> Answers:
    """Return each target's answer, in the round's order; a tier gets the text once all earlier ones were fooled.

    All tiers have one deadline together. Without tiers all targets are asked at once.
    """
    ends_at = time.monotonic() + app.prediction_deadline_seconds
    found: dict[str, Answer] = {}
    for tier in in_tiers(targets, configuration.tiers):
        left = ends_at - time.monotonic()
        if left < LEAST_SECONDS:
            found.update({target: MissingAnswer(target, "deadline") for target in tier})
            break
        question = begin(tier, configuration, written, app, left)
        answers = answers_to(question, configuration, written, app, retry_after, left)
        found.update({answer.target: answer for answer in answers})
        if not all(isinstance(answer, TargetAnswer) and answer.wrong for answer in answers):
            break
    return tuple(found.get(target, UnaskedAnswer(target)) for target in targets)


def undecidable(answers: Answers, retry_after: Sequence[int]) -> Undecidable:
    """Return the error for answers that do not decide the verdict."""
    missing = tuple(answer for answer in answers if isinstance(answer, MissingAnswer))
    return Undecidable(missing, max(retry_after, default=DEFAULT_RETRY_SECONDS))


def ask(
    targets: tuple[str, ...],
    configuration: TaskConfiguration,
    written: Written,
    app: Dependencies,
    retry_after: list[int],
) -> Answers:
    """Return each target's answer, judged against the claim; pauses that targets request join `retry_after`.

    Raises TargetRefusesInput.
    """
    question = begin(targets, configuration, written, app)
    return answers_to(question, configuration, written, app, retry_after)


def begin(
    targets: tuple[str, ...],
    configuration: TaskConfiguration,
    written: Written,
    app: Dependencies,
    seconds: float | None = None,
) -> Question:
    """Start to ask each target, which has so many seconds, by default as many as a try has."""
    instance = configuration.instance(written.context, written.input)
    allowed = app.prediction_deadline_seconds if seconds is None else seconds
    return {target: _ask(target, instance, app, allowed) for target in targets}


def answers_to(
    question: Question,
    configuration: TaskConfiguration,
    written: Written,
    app: Dependencies,
    retry_after: list[int],
    seconds: float | None = None,
) -> Answers:
    """Wait for each target's answer, as `ask` does. Raises TargetRefusesInput."""
    wait(question.values(), timeout=app.prediction_deadline_seconds if seconds is None else seconds)
    return tuple(
        _answer(target, future, configuration, written, retry_after) for target, future in question.items()
    )


def _ask(target: str, instance: dict[str, str], app: Dependencies, seconds: float) -> "Future[_Timed]":
    def call() -> _Timed:
        started = time.perf_counter()
        prediction = app.gateway.predict(target, instance, seconds)
        return _Timed(prediction, _milliseconds_since(started))

    return app.prediction_threads.submit(copy_context().run, call)


def _answer(
    target: str,
    future: "Future[_Timed]",
    configuration: TaskConfiguration,
    written: Written,
    retry_after: list[int],
) -> TargetAnswer | MissingAnswer:
    if not future.done():
        future.cancel()
        return MissingAnswer(target, "deadline")
    try:
        timed = future.result()
    except PredictionFailed as failure:
        if failure.retry_after_seconds is not None:
            retry_after.append(failure.retry_after_seconds)
        return MissingAnswer(target, failure.reason)
    try:
        return _judged(target, timed, configuration, written)
    except AnswerUnreadable as err:
        return MissingAnswer(target, f"answered {err}")


def _judged(target: str, timed: _Timed, configuration: TaskConfiguration, written: Written) -> TargetAnswer:
    prediction = timed.prediction
    texts = configuration.texts(written.context, written.input)
    value = configuration.claimed_field.read_answer(prediction.answer, texts)
    probabilities = read_probabilities(prediction.answer)
    return TargetAnswer(
        target=target,
        value=value,
        confidence=read_confidence(prediction.answer, value, probabilities),
        probabilities=probabilities,
        wrong=None if written.claimed is None else configuration.wrong_when.is_wrong(written.claimed, value),
        model_digest=prediction.model_digest,
        handler_digest=prediction.handler_digest,
        milliseconds=timed.milliseconds,
    )


def _milliseconds_since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 2)
