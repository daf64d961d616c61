"""Answer shards: send each request to the model, and store its answer."""

import json
import time
import zlib
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from dynabench_common.clock import Clock
from dynabench_events.score import Fault
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import AnswerUnreadable
from dynabench_tasks.values import Value

from scoring.adapters.request_store import RequestStore
from scoring.adapters.shard_store import SqlShards
from scoring.adapters.task_reader import TaskReader
from scoring.adapters.unit_of_work import MakeUnitOfWork, ScoringUnitOfWork
from scoring.adapters.work_queue import Held
from scoring.domain.errors import InstancesRefused
from scoring.domain.evaluation import AnswerFailed, Evaluation, EvaluationFailure, ModelAway
from scoring.evaluation.items import Request
from scoring.service_layer.heartbeat import Heartbeat
from scoring.service_layer.jobs import LEASE_SECONDS, JobRunner
from scoring.service_layer.ports import Models

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


class ShardRunner(JobRunner):
    """Answers shards; a worker's component, of which several may run in one process."""

    name = "shards"

    def __init__(
        self,
        make_uow: MakeUnitOfWork,
        configurations: TaskReader,
        files: RequestStore,
        models: Models,
        clock: Clock,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        super().__init__(make_uow, clock, lease_seconds)
        self._configurations = configurations
        self._files = files
        self._models = models

    def jobs(self, uow: ScoringUnitOfWork) -> SqlShards:
        """Return the queue of shards."""
        return uow.shards

    def work(self, held: Held, beat: Heartbeat) -> None:
        """Answer one shard. Raises LeaseLost, ObjectsUnavailable."""
        with self._make_uow() as uow:
            work = uow.shards.work(held.key)
        evaluation = work.evaluation
        task = self._configurations.of_task(evaluation.dataset.task_slug)
        requests = self._files.requests(evaluation.dataset, work.first_request, work.requests)
        answers: list[Answer] = []
        try:
            for start in range(0, len(requests), CALL_INSTANCES):
                part = requests[start : start + CALL_INSTANCES]
                answers += self._answers(evaluation, task, part)
                beat.show()
        except ModelAway as err:
            now = self._clock.now()
            until = now + timedelta(seconds=err.seconds)
            with self._make_uow() as uow:
                uow.shards.wait(held, evaluation.evaluation_id, now, until, err.reason)
                uow.commit()
            return
        except EvaluationFailure as err:
            self._end(held, err.fault, err.reason)
            return
        with self._make_uow() as uow:
            uow.shards.answered(held, evaluation.evaluation_id, packed(answers), self._clock.now())
            uow.commit()

    def _answers(
        self, evaluation: Evaluation, task: TaskConfiguration, requests: Sequence[Request]
    ) -> list[Answer]:
        instances = [task.instance(request.context, request.input) for request in requests]
        try:
            predictions = self._predict(evaluation, instances)
        except InstancesRefused as err:
            if len(requests) == 1:
                return [AnswerFailed(str(err))]
            return [answer for request in requests for answer in self._answers(evaluation, task, [request])]
        return [
            _answer(task, request, prediction)
            for request, prediction in zip(requests, predictions, strict=True)
        ]

    def _predict(
        self, evaluation: Evaluation, instances: Sequence[Mapping[str, str]]
    ) -> Sequence[Mapping[str, Any]]:
        """Ask again soon while the model is only busy. Raises ModelAway."""
        for attempt in range(BUSY_TRIES):
            try:
                return self._models.predict(evaluation.model, instances, evaluation.apart)
            except ModelAway as err:
                if err.seconds > 1 or attempt == BUSY_TRIES - 1:
                    raise
                time.sleep(err.seconds)
        raise AssertionError("the last try returns or raises")

    def _fail(self, held: Held, error: Mapping[str, Any]) -> None:
        """End the whole evaluation: without one shard there is no score."""
        self._end(held, Fault.OURS, str(error["detail"]))

    def _end(self, held: Held, fault: Fault, reason: str) -> None:
        with self._make_uow() as uow:
            work = uow.shards.work(held.key)
            uow.evaluations.end(work.evaluation.evaluation_id, fault, reason, self._clock.now())
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
