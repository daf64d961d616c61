"""Routes: datasets that models are scored on, evaluations, predictions, comparisons."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from dynabench_api.evaluations import (
    ComparisonAnswer,
    EvaluationAnswer,
    EvaluationsAnswer,
    ItemAnswer,
    LeaksAnswer,
    LinesAnswer,
    MetricAnswer,
    MetricsAnswer,
    ScoredDatasetAnswer,
    ScoredDatasetsAnswer,
    TagAnswer,
)
from dynabench_common.auth.permissions import Permission, ensure, requires, signed_in_person
from dynabench_common.auth.private_tasks import hidden_tasks
from dynabench_common.http.json_line_bodies import NDJSON, body_of_lines, stream_of_body
from dynabench_common.http.schemas import cut_page
from dynabench_common.http.service import json_response
from dynabench_common.problems import Problem
from dynabench_tasks.json_lines import Limits, Line, read_lines
from flask import Response, redirect, request
from flask_openapi import APIBlueprint
from sqlalchemy import Row

from evaluation.domain.canaries import Place
from evaluation.domain.errors import EvaluationUnknown
from evaluation.domain.metrics import ITEM_METRICS
from evaluation.domain.variants import VARIANT_RULES
from evaluation.entrypoints.http.dependencies import (
    dependencies,
    evaluation_reader,
    looks_after_hidden,
    shows_items,
)
from evaluation.entrypoints.http.schemas import (
    ComparisonQuery,
    DatasetPath,
    EvaluationPath,
    EvaluationsQuery,
    NewDatasetQuery,
    PredictionsQuery,
    ScoredDatasetsQuery,
    TaskPath,
    comparison_answer,
    difference_answer,
    evaluation_answer,
    leaks_answer,
    lines_answer,
    scored_dataset_answer,
)
from evaluation.queries import evaluations
from evaluation.service_layer.commands import (
    AddDataset,
    AddPredictions,
    add_dataset,
    add_predictions,
    cancel,
    run_again,
)
from evaluation.service_layer.compare import Compared, compare_models
from evaluation.service_layer.prepare import METRIC_VERSION

blueprint = APIBlueprint("evaluations", __name__, url_prefix="/api/scoring/v1")
ITEMS = body_of_lines('One {"id": …, "context": {…}, "input": {…}, "label": …}')
PREDICTIONS = body_of_lines('One {"id": …, "answer": …}, or in all lines {"id": …, "score": …}')
ITEM_LIMITS = Limits(lines=250_000)
"""Limit of an upload, whose items are all in memory during their checks, about a kilobyte each."""
PREDICTION_LIMITS = Limits(lines=1_000_000)
ADDRESS_SECONDS = 900


@blueprint.post("/tasks/<slug>/evaluation-datasets", request_body=ITEMS, responses={201: ScoredDatasetAnswer})
@requires(Permission.MANAGE_TASK)
def post_dataset(path: TaskPath, query: NewDatasetQuery) -> Response:
    """Create a dataset for scoring from a file of items, completely or not at all. The body is read as a stream."""
    ensure(Permission.MANAGE_TASK, task=path.slug)
    command = AddDataset(
        path.slug,
        query.name,
        query.title,
        query.access,
        query.licence,
        _lines(ITEM_LIMITS),
        signed_in_person(),
    )
    added = add_dataset(command, dependencies())
    return _dataset(added.dataset_id, 201)


@blueprint.get("/evaluation-datasets", responses={200: ScoredDatasetsAnswer})
@requires(Permission.READ_DATASET)
def get_datasets(query: ScoredDatasetsQuery) -> Response:
    """List the datasets for scoring, the newest first."""
    found = evaluations.scored_datasets(
        dependencies().engine, query.task, query.before(), query.limit + 1, hidden_tasks()
    )
    page, cursor = cut_page(found, query.limit, lambda row: row.dataset_id)
    public = dependencies().tasks.public_at_once([row.round_id for row in page if row.round_id])
    items = [scored_dataset_answer(row, public_at_once=row.round_id in public) for row in page]
    return json_response(ScoredDatasetsAnswer(items=items, next_cursor=cursor))


@blueprint.get("/evaluation-datasets/<uuid:dataset_id>", responses={200: ScoredDatasetAnswer})
@requires(Permission.READ_DATASET)
def get_dataset(path: DatasetPath) -> Response:
    """Read a dataset for scoring. Owners also see the leaks of a hidden dataset."""
    return _dataset(path.dataset_id, 200)


@blueprint.post(
    "/evaluation-datasets/<uuid:dataset_id>/predictions",
    request_body=PREDICTIONS,
    responses={202: EvaluationAnswer},
)
@requires(Permission.SUBMIT_MODEL)
def post_predictions(path: DatasetPath, query: PredictionsQuery) -> Response:
    """Score uploaded predictions, one for each item of an open dataset, or store uploaded scores.

    A model with uploaded scores or figures is external. External models have a separate board.
    """
    needed = dependencies()
    command = AddPredictions(
        path.dataset_id,
        query.model,
        _lines(PREDICTION_LIMITS),
        signed_in_person(),
        query.scale(),
        query.figures(),
    )
    evaluation_id = add_predictions(command, needed)
    return _shown(evaluations.one_evaluation(needed.engine, evaluation_reader(), evaluation_id), 202)


@blueprint.get("/evaluation-datasets/<uuid:dataset_id>/comparison", responses={200: ComparisonAnswer})
@requires(Permission.READ_DATASET)
def get_comparison(path: DatasetPath, query: ComparisonQuery) -> Response:
    """Compare two models' answers to the items of a dataset."""
    needed, reader = dependencies(), evaluation_reader()
    first, second = evaluations.compared_scores(
        needed.engine, reader, path.dataset_id, query.first, query.second
    )
    found = compare_models(path.dataset_id, first.predictions_key, second.predictions_key, needed)
    return json_response(
        _compared(path, query, found, shows=shows_items(first.dataset__access, first.task_slug))
    )


@blueprint.get("/evaluations", responses={200: EvaluationsAnswer})
@requires(Permission.READ_DATASET)
def get_evaluations(query: EvaluationsQuery) -> Response:
    """List evaluations of published models, of your own models and of your tasks, the newest first."""
    engine, reader = dependencies().engine, evaluation_reader()
    filters = evaluations.Filters(query.task, query.model, query.dataset_id, query.state)
    found = evaluations.shown(engine, reader, filters, query.before(), query.limit + 1)
    page, cursor = cut_page(found, query.limit, lambda row: row.evaluation_id)
    seen = evaluations.outlook(engine, page)
    items = [evaluation_answer(row, seen, may_act=reader.may_act(row)) for row in page]
    return json_response(EvaluationsAnswer(items=items, next_cursor=cursor))


@blueprint.get("/evaluations/<uuid:evaluation_id>", responses={200: EvaluationAnswer})
@requires(Permission.READ_DATASET)
def get_evaluation(path: EvaluationPath) -> Response:
    """Read the progress and results of an evaluation."""
    return _shown(
        evaluations.one_evaluation(dependencies().engine, evaluation_reader(), path.evaluation_id), 200
    )


@blueprint.get("/evaluations/<uuid:evaluation_id>/log", responses={200: LinesAnswer})
@requires(Permission.READ_DATASET)
def get_log(path: EvaluationPath) -> Response:
    """Read the log of an evaluation, the oldest entry first."""
    engine = dependencies().engine
    row = evaluations.one_evaluation(engine, evaluation_reader(), path.evaluation_id)
    lines = evaluations.log_lines(engine, path.evaluation_id)
    return json_response(lines_answer(lines, row.dataset__access))


@blueprint.get("/evaluations/<uuid:evaluation_id>/predictions", responses={302: None})
@requires(Permission.READ_DATASET)
def get_predictions(path: EvaluationPath) -> Response:
    """Redirect to a Parquet file of a model's answers. Its URL is valid for 15 minutes."""
    needed = dependencies()
    row = evaluations.one_evaluation(needed.engine, evaluation_reader(), path.evaluation_id)
    if row.predictions_key is None or not shows_items(row.dataset__access, row.task_slug):
        raise EvaluationUnknown
    address = needed.store.address(
        row.predictions_key, f"{row.model_name}-{row.dataset__name}.parquet", ADDRESS_SECONDS
    )
    answer = redirect(address)
    return Response(answer.response, 302, answer.headers)


@blueprint.post("/evaluations/<uuid:evaluation_id>/runs", responses={202: EvaluationAnswer})
@requires(Permission.SUBMIT_MODEL)
def post_run(path: EvaluationPath) -> Response:
    """Run an evaluation without a score again. Existing answers are kept."""
    needed = dependencies()
    _ensure_may_act(path)
    run_again(path.evaluation_id, needed)
    return _shown(evaluations.one_evaluation(needed.engine, evaluation_reader(), path.evaluation_id), 202)


@blueprint.post("/evaluations/<uuid:evaluation_id>/cancellation", responses={200: EvaluationAnswer})
@requires(Permission.SUBMIT_MODEL)
def post_cancellation(path: EvaluationPath) -> Response:
    """Cancel an evaluation that has not ended."""
    needed = dependencies()
    _ensure_may_act(path)
    cancel(path.evaluation_id, needed)
    return _shown(evaluations.one_evaluation(needed.engine, evaluation_reader(), path.evaluation_id), 200)


@blueprint.get("/metrics", responses={200: MetricsAnswer})
@requires(Permission.READ_PUBLIC)
def get_metrics() -> Response:
    """List all metrics, and all rules for variants, with their definitions."""
    cards = [(name, ITEM_METRICS[name].card) for name in ITEM_METRICS.names]
    rules = [VARIANT_RULES[name] for name in VARIANT_RULES.names]
    return json_response(
        MetricsAnswer(
            version=METRIC_VERSION,
            items=[
                MetricAnswer(
                    name=name,
                    definition=card.definition,
                    range=card.range,
                    traps=card.traps,
                    source=card.source,
                )
                for name, card in cards
            ],
            variants=rules,
        )
    )


def _dataset(dataset_id: UUID, status: int) -> Response:
    needed = dependencies()
    row = evaluations.one_scored_dataset(needed.engine, dataset_id)
    leaks = _leaks(dataset_id) if looks_after_hidden(row.access, row.task_slug) else None
    is_public = bool(row.round_id and needed.tasks.public_at_once([row.round_id]))
    return json_response(scored_dataset_answer(row, leaks, public_at_once=is_public), status)


def _leaks(dataset_id: UUID) -> LeaksAnswer:
    needed = dependencies()
    found = evaluations.leaks(needed.engine, dataset_id)
    examples = {row.reference for row in found.newest if row.place == Place.EXAMPLE}
    return leaks_answer(found, needed.tasks.rounds_of(examples) if examples else {})


def _lines(limits: Limits) -> Iterator[Line]:
    """Return the lines of the request's body. Raises Problem 415."""
    if request.mimetype != NDJSON:
        raise Problem(
            415,
            "not-json-lines",
            "Not JSON lines",
            "The body is {given}.",
            field="Content-Type",
            remedy="Send the file as {wanted}.",
            parameters={"given": request.mimetype or "of no type", "wanted": NDJSON},
        )
    return read_lines(stream_of_body(limits.file_bytes), limits)


def _ensure_may_act(path: EvaluationPath) -> None:
    """Let submitters act on their own evaluations, and owners on those of their tasks. Raises EvaluationUnknown."""
    reader = evaluation_reader()
    row = evaluations.one_evaluation(dependencies().engine, reader, path.evaluation_id)
    if not reader.may_act(row):
        ensure(Permission.MANAGE_TASK, task=row.task_slug)


def _shown(row: Row[Any], status: int) -> Response:
    seen = evaluations.outlook(dependencies().engine, [row])
    return json_response(evaluation_answer(row, seen, may_act=evaluation_reader().may_act(row)), status)


def _compared(path: DatasetPath, query: ComparisonQuery, found: Compared, *, shows: bool) -> ComparisonAnswer:
    items = [
        ItemAnswer(id=a.item_id, first=a.answer, second=b.answer, first_is_right=bool(a.right))
        for a, b in (found.differing if shows else ())
    ]
    tags = [
        TagAnswer(
            tag=tag,
            n=one.n,
            only_first=one.only_first,
            only_second=one.only_second,
            mcnemar_p=one.mcnemar_p,
            holm_p=found.holm_by_tag[tag],
        )
        for tag, one in found.by_tag.items()
        if shows
    ]
    metrics = [
        difference_answer(metric, one, found.holm_by_metric.get(metric))
        for metric, one in found.by_metric.items()
    ]
    return comparison_answer(
        found.whole,
        metrics=metrics,
        undefined=dict(found.undefined),
        dataset_id=path.dataset_id,
        first=query.first,
        second=query.second,
        both_wrong_alike=found.both_wrong_alike,
        tags=tags,
        items=items,
    )
