"""Answer shards: send each request to the model, and store its answer."""

import json
import time
import zlib
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from dynabench_common.work.jobs import Heartbeat, LeasedJob
from dynabench_common.work.retried_jobs import Job
from dynabench_events.score import Fault
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import AnswerUnreadable
from dynabench_tasks.values import Value

from evaluation.domain.errors import InstancesRefused
from evaluation.domain.evaluations import AnswerFailed, Evaluation, EvaluationFailure, ModelAway
from evaluation.domain.items import Request
from evaluation.service_layer.dependencies import EvaluatorDependencies
from evaluation.service_layer.prepare import refusal

CALL_INSTANCES = 32
BUSY_TRIES = 5

Answer = Value | AnswerFailed


def packed(answers: Sequence[Answer] | Sequence[float]) -> bytes:
    """Return answers as compressed JSON: `[value, null]`, or `[null, why there is none]`."""
    lines = [
        [None, answer.reason] if isinstance(answer, AnswerFailed) else [answer, None] for answer in answers
    ]
    return zlib.compress(json.dumps(lines, ensure_ascii=False, allow_nan=False).encode())


def unpacked(content: bytes) -> list[Answer]:
    """Return the answers that `packed` made bytes of."""
    return [
        AnswerFailed(reason) if reason is not None else value
        for value, reason in json.loads(zlib.decompress(content))
    ]


def answer_shard(held: LeasedJob, beat: Heartbeat, app: EvaluatorDependencies) -> None:
    """Answer one shard. Raises LeaseLost, ObjectsUnavailable."""
    with app.unit_of_work() as uow:
        work = uow.shards.work(held.key)
    evaluation = work.evaluation
    task = app.tasks.of_task(evaluation.dataset.task_slug)
    requests = app.files.requests(evaluation.dataset, work.first_request, work.requests)
    answers: list[Answer] = []
    try:
        for start in range(0, len(requests), CALL_INSTANCES):
            part = requests[start : start + CALL_INSTANCES]
            answers += _answers(evaluation, task, part, app)
            beat.show()
    except ModelAway as err:
        now = app.clock.now()
        until = now + timedelta(seconds=err.seconds)
        with app.unit_of_work() as uow:
            uow.shards.wait(held, evaluation.evaluation_id, now, until, err.reason)
            uow.commit()
        return
    except EvaluationFailure as err:
        _end(held, err.fault, err.reason, app)
        return
    with app.unit_of_work() as uow:
        uow.shards.answered(held, evaluation.evaluation_id, packed(answers), app.clock.now())
        uow.commit()


def _answers(
    evaluation: Evaluation, task: TaskConfiguration, requests: Sequence[Request], app: EvaluatorDependencies
) -> list[Answer]:
    instances = [task.instance(request.context, request.input) for request in requests]
    try:
        predictions = _predict(evaluation, instances, app)
    except InstancesRefused as err:
        if len(requests) == 1:
            return [AnswerFailed(str(err))]
        return [answer for request in requests for answer in _answers(evaluation, task, [request], app)]
    return [
        _answer(task, request, prediction) for request, prediction in zip(requests, predictions, strict=True)
    ]


def _predict(
    evaluation: Evaluation, instances: Sequence[Mapping[str, str]], app: EvaluatorDependencies
) -> Sequence[Mapping[str, Any]]:
    """Ask again soon while the model is only busy. Raises ModelAway."""
    for attempt in range(BUSY_TRIES):
        try:
            return app.models.predict(evaluation.model, instances, evaluation.isolated)
        except ModelAway as err:
            if err.seconds > 1 or attempt == BUSY_TRIES - 1:
                raise
            time.sleep(err.seconds)
    raise AssertionError("the last try returns or raises")


def _fail(held: LeasedJob, error: Mapping[str, Any], app: EvaluatorDependencies) -> None:
    """End the whole evaluation: without one shard there is no score."""
    _end(held, Fault.OURS, str(error["detail"]), app)


def _end(held: LeasedJob, fault: Fault, reason: str, app: EvaluatorDependencies) -> None:
    with app.unit_of_work() as uow:
        work = uow.shards.work(held.key)
        uow.evaluations.end(work.evaluation.evaluation_id, fault, reason, app.clock.now())
        uow.commit()


def _answer(task: TaskConfiguration, request: Request, prediction: Mapping[str, Any]) -> Answer:
    if "error" in prediction:
        error = prediction["error"]
        detail = error.get("detail") if isinstance(error, dict) else error
        return AnswerFailed(f"the model failed: {str(detail)[:200]}")
    try:
        return task.claimed_field.read_answer(prediction, task.texts(request.context, request.input))
    except AnswerUnreadable as err:
        return AnswerFailed(f"it answered {err}")


SHARDS = Job("shards", lambda uow: uow.shards, answer_shard, refusal, _fail)
