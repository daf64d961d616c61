"""Compute scores once all requests of an evaluation are answered."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
from dynabench_common.work.jobs import Heartbeat, LeasedJob
from dynabench_common.work.retried_jobs import Job
from dynabench_common.working_folders import working_folder
from dynabench_events.score import Fault, Influence, MetricValue, ScoreComputed
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.values import to_text

from evaluation.adapters.prediction_files import StoredPrediction, write_predictions
from evaluation.adapters.request_files import GROUP
from evaluation.domain.canaries import Place, Sighting, shaped_words
from evaluation.domain.diagnostics import is_suite, passed
from evaluation.domain.evaluations import Access, AnswerFailed, Evaluation, External, Kind
from evaluation.domain.intervals import numbered
from evaluation.domain.items import ORIGINAL, Item, Request, is_canary
from evaluation.domain.metrics import Answered, Measured, VariantAnswer
from evaluation.domain.report import Report, packed, report, report_of_scores, swapped_labels
from evaluation.service_layer.answer_shards import Answer, unpacked
from evaluation.service_layer.dependencies import EvaluatorDependencies
from evaluation.service_layer.prepare import refusal
from evaluation.service_layer.timing import measure_speed

PARQUET = "application/x-parquet"
HIDDEN_DECIMALS = 2
ELSEWHERE = "no interval: measured elsewhere"


def finish_evaluation(held: LeasedJob, beat: Heartbeat, app: EvaluatorDependencies) -> None:
    """Finish one evaluation. Raises LeaseLost, ObjectsUnavailable, TaskUnknown."""
    with app.unit_of_work() as uow:
        evaluation = uow.evaluations.get(held.key)
        parts = uow.evaluations.answers(held.key)
    dataset = evaluation.dataset
    task = app.tasks.of_task(dataset.task_slug)
    items = app.files.items(dataset)
    given = [answer for content in parts for answer in unpacked(content)]
    external = evaluation.model.external
    has_scores = external is not None and external.are_scores
    answers = [] if has_scores else given
    asked = (
        [(number, ORIGINAL) for number in range(len(answers))]
        if evaluation.model.prediction_only
        else [*app.files.kinds(dataset)][: len(answers)]
    )
    answered, stored = _answered(items, answers, asked, task)
    beat.show()
    found = (
        report_of_scores(np.array(given, dtype=np.float64), answered, task.metrics.primary)
        if has_scores
        else report(answered, task.performance_metrics, task.metrics.primary)
    )
    timed = (
        _stated(external)
        if evaluation.model.prediction_only
        else measure_speed(evaluation, task, items, beat, app)
    )
    is_target = dataset.kind is Kind.ROUND and _is_target(evaluation, app)
    key = None if has_scores else _keep(evaluation, stored, app)
    record = _record(evaluation, found, timed, is_target, app.clock.now())
    seen = _seen(evaluation, items, answers, app)
    with app.unit_of_work() as uow:
        uow.evaluations.finish(
            held,
            record,
            _result(record, found, {} if dataset.kind is Kind.ROUND else swapped_labels(answered)),
            key,
        )
        uow.canaries.note([seen])
        uow.commit()


def _keep(evaluation: Evaluation, stored: Sequence[StoredPrediction], app: EvaluatorDependencies) -> str:
    """Store the answers; return their key."""
    key = f"predictions/{evaluation.evaluation_id}-{evaluation.event_version}.parquet"
    with working_folder() as folder:
        write_predictions(folder / "predictions", stored)
        app.store.store(key, folder / "predictions", PARQUET)
    return key


def _is_target(evaluation: Evaluation, app: EvaluatorDependencies) -> bool:
    round_id = evaluation.dataset.round_id
    return round_id is not None and evaluation.model.name in app.tasks.targets_of(round_id)


def _seen(
    evaluation: Evaluation, items: Sequence[Item], answers: Sequence[Answer], app: EvaluatorDependencies
) -> Sighting:
    """Return the words of a model's answers, which may show that a hidden dataset has leaked.

    A model may repeat its request. So words of the request itself do not count, nor words of the item if predictions
    were uploaded. Requests are read again only where an answer has a word of that shape.
    """
    words_said: set[str] = set()
    for first in range(0, len(answers), GROUP):
        said = [_said(answer) for answer in answers[first : first + GROUP]]
        if any(said):
            asked: Sequence[Item | Request] = (
                items[first : first + len(said)]
                if evaluation.model.prediction_only
                else app.files.requests(evaluation.dataset, first, len(said))
            )
            for words, one in zip(said, asked, strict=True):
                words_said |= words and words - shaped_words(_texts(one))
    return Sighting(Place.ANSWERS, evaluation.evaluation_id, evaluation.model.name, frozenset(words_said))


def _record(
    evaluation: Evaluation,
    found: Report,
    timed: Sequence[MetricValue],
    is_target: bool,
    computed_at: datetime,
) -> ScoreComputed:
    values = (*(_value(name, measured) for name, measured in found.values.items()), *timed)
    if evaluation.dataset.access is Access.HIDDEN:
        values = tuple(map(_rounded, values))
    return ScoreComputed(
        evaluation_id=evaluation.evaluation_id,
        task_slug=evaluation.dataset.task_slug,
        model=evaluation.model.evaluated,
        dataset=evaluation.dataset.evaluated,
        metric_version=evaluation.metric_version,
        values=values,
        influences=tuple(Influence(name, packed(measured)) for name, measured in found.values.items()),
        failed_items=found.failed_items,
        constant_answer=found.constant_answer[:200],
        target_of_round=is_target,
        computed_at=computed_at,
    )


def _fail(held: LeasedJob, error: Mapping[str, Any], app: EvaluatorDependencies) -> None:
    with app.unit_of_work() as uow:
        uow.evaluations.end(held.key, Fault.OURS, str(error["detail"]), app.clock.now())
        uow.commit()


def _answered(
    items: Sequence[Item],
    answers: Sequence[Answer],
    asked: Sequence[tuple[int, str]],
    task: TaskConfiguration,
) -> tuple[Answered, Sequence[StoredPrediction]]:
    """Return the answers sorted out, by the item and rule of each that was asked; those with canaries left out."""
    values = [None if isinstance(answer, AnswerFailed) else answer for answer in answers]
    own: list[Any] = [None] * len(items)
    for (number, rule), value in zip(asked, values, strict=True):
        if rule == ORIGINAL:
            own[number] = value
    right = _right(items, own)
    variants: list[VariantAnswer] = []
    stored: list[StoredPrediction] = []
    for (number, rule), answer, value in zip(asked, answers, values, strict=True):
        if is_canary(rule):
            continue
        if rule != ORIGINAL:
            kind, _, name = rule.partition(":")
            variants.append(VariantAnswer(number, kind, name, value))
        stored.append(
            StoredPrediction(
                items[number].item_id,
                rule,
                None if value is None else to_text(value),
                right[number] if rule == ORIGINAL else None,
                answer.reason if isinstance(answer, AnswerFailed) else None,
            )
        )
    clusters = numbered([item.cluster for item in items])
    return Answered(items, own, variants, clusters, task.labels, task.languages), stored


def _said(answer: Answer) -> frozenset[str]:
    return shaped_words([answer.reason if isinstance(answer, AnswerFailed) else to_text(answer)])


def _texts(asked: Item | Request) -> Iterable[str]:
    return map(to_text, (*asked.context.values(), *asked.input.values()))


def _right(items: Sequence[Item], answers: Sequence[Any]) -> Sequence[bool | None]:
    """Return which items are answered right, or as their test expects."""
    if is_suite(items):
        return passed(items, answers)
    golds = [{to_text(gold) for gold in item.golds} for item in items]
    return [
        answer is not None and to_text(answer) in known for answer, known in zip(answers, golds, strict=True)
    ]


def _value(name: str, measured: Measured) -> MetricValue:
    ends = measured.ends
    return MetricValue(name, measured.value, measured.n, ends.low, ends.high, ends.reason)


def _stated(external: External | None) -> Sequence[MetricValue]:
    """Return figures that were measured elsewhere."""
    figures = external.figures if external is not None else ()
    return [MetricValue(name, value, 0, no_interval=ELSEWHERE) for name, value in figures]


def _rounded(value: MetricValue) -> MetricValue:
    """Return a score with few decimals, so that it can leak little of the data seen by a program."""
    low, high = round(value.low, HIDDEN_DECIMALS), round(value.high, HIDDEN_DECIMALS)
    return replace(value, value=round(value.value, HIDDEN_DECIMALS), low=low, high=high)


def _result(record: ScoreComputed, found: Report, swapped: Mapping[str, str]) -> Mapping[str, Any]:
    return {
        "values": [
            {
                "metric": each.metric,
                "value": each.value,
                "n": each.n,
                "low": None if each.no_interval else each.low,
                "high": None if each.no_interval else each.high,
                "reason": each.no_interval or None,
            }
            for each in record.values
            if each.no_interval != ELSEWHERE
        ],
        "undefined": dict(found.undefined),
        "failed_items": found.failed_items,
        "failures": list(found.failures),
        "constant_answer": record.constant_answer,
        "swapped_labels": dict(swapped),
        "target_of_round": record.target_of_round,
        "slices": list(found.slices),
        "tests": list(found.tests),
    }


SCORES = Job("scores", lambda uow: uow.evaluations, finish_evaluation, refusal, _fail)
