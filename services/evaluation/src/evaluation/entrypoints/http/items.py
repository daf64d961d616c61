"""Routes: single items of datasets that models are scored on."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from dynabench_api.evaluations import (
    AnsweredItemAnswer,
    AnswerToItem,
    ComparedItemAnswer,
    ComparedItemsAnswer,
    SamplesAnswer,
    SuspectsAnswer,
)
from dynabench_common.auth.permissions import Permission, ensure, requires
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint
from sqlalchemy import Row

from evaluation.domain.errors import ItemsNotShown
from evaluation.domain.evaluations import ScoredDataset
from evaluation.domain.suspects import FEWEST_MODELS
from evaluation.entrypoints.http.dependencies import dependencies, evaluation_reader, shows_items
from evaluation.entrypoints.http.schemas import (
    ComparedItemsQuery,
    DatasetPath,
    ItemQuery,
    SamplesQuery,
    item_fields,
    sample_answer,
    suspect_answer,
)
from evaluation.queries import evaluations
from evaluation.service_layer.compare import compared_items
from evaluation.service_layer.look_at_items import answered_item, hidden_items, samples, suspect_labels

blueprint = APIBlueprint("evaluation_items", __name__, url_prefix="/api/scoring/v1/evaluation-datasets")


@blueprint.get("/<uuid:dataset_id>/samples", responses={200: SamplesAnswer})
@requires(Permission.READ_DATASET)
def get_samples(path: DatasetPath, query: SamplesQuery) -> Response:
    """Read sample items with their variants, for open datasets. For `scoring` datasets, only owners may."""
    dataset = _shown_dataset(path.dataset_id)
    found = samples(dataset, query.number, query.seed, dependencies())
    items = [sample_answer(each) for each in found]
    return json_response(SamplesAnswer(dataset_id=path.dataset_id, seed=query.seed, items=items))


@blueprint.get("/<uuid:dataset_id>/item", responses={200: AnsweredItemAnswer})
@requires(Permission.READ_DATASET)
def get_item(path: DatasetPath, query: ItemQuery) -> Response:
    """Read an item and each model's answer, for open datasets. For `scoring` datasets, only owners may."""
    needed = dependencies()
    dataset = _shown_dataset(path.dataset_id)
    rows = {
        row.model_name: row
        for row in evaluations.scores_on(needed.engine, evaluation_reader(), path.dataset_id)
    }
    keys = {name: row.predictions_key for name, row in rows.items()}
    item, found = answered_item(dataset, query.id, keys, needed)
    answers = [
        AnswerToItem(
            model=name,
            evaluation_id=rows[name].evaluation_id,
            prediction_only=rows[name].prediction_only,
            answer=each.answer,
            right=bool(each.right),
            failed=each.failed,
        )
        for name, each in found.items()
    ]
    return json_response(AnsweredItemAnswer.model_validate({**item_fields(item), "answers": answers}))


@blueprint.get("/<uuid:dataset_id>/comparison/items", responses={200: ComparedItemsAnswer})
@requires(Permission.READ_DATASET)
def get_compared_items(path: DatasetPath, query: ComparedItemsQuery) -> Response:
    """Read the items on which two models differ, for open datasets. For `scoring` datasets, only owners may."""
    needed = dependencies()
    dataset = _shown_dataset(path.dataset_id)
    first, second = evaluations.compared_scores(
        needed.engine, evaluation_reader(), path.dataset_id, query.first, query.second
    )
    number, found = compared_items(
        dataset, first.predictions_key, second.predictions_key, query.wanted(), needed
    )
    items = [
        ComparedItemAnswer.model_validate(
            {
                **item_fields(each.item),
                "first": each.first.answer,
                "second": each.second.answer,
                "first_is_right": bool(each.first.right),
                "second_is_right": bool(each.second.right),
            }
        )
        for each in found
    ]
    return json_response(
        ComparedItemsAnswer(
            dataset_id=path.dataset_id, first=query.first, second=query.second, number=number, items=items
        )
    )


@blueprint.get("/<uuid:dataset_id>/suspects", responses={200: SuspectsAnswer})
@requires(Permission.MANAGE_TASK)
def get_suspects(path: DatasetPath) -> Response:
    """List items of a dataset that may have a wrong label. Only for owners of its task."""
    needed = dependencies()
    dataset = _shown_dataset(path.dataset_id)
    ensure(Permission.MANAGE_TASK, task=dataset.task_slug)
    rows = _different(evaluations.scores_on(needed.engine, evaluation_reader(), path.dataset_id))
    keys = [row.predictions_key for row in rows]
    found, items = suspect_labels(dataset, keys, needed)
    hidden = hidden_items(dataset, needed)
    return json_response(
        SuspectsAnswer(
            dataset_id=path.dataset_id,
            models=[row.model_name for row in rows],
            fewest_models=FEWEST_MODELS,
            measured=found.measured if found else 0,
            below=found.below if found else 0,
            items=[
                suspect_answer(each, items[each.place])
                for each in (found.items if found else ())
                if items[each.place].item_id not in hidden
            ],
        )
    )


def _shown_dataset(dataset_id: UUID) -> ScoredDataset:
    """Return a dataset whose items the caller may see. Raises DatasetUnknown, ItemsNotShown."""
    with dependencies().unit_of_work() as uow:
        dataset = uow.datasets.get(dataset_id)
    if not shows_items(dataset.access, dataset.task_slug):
        raise ItemsNotShown
    return dataset


def _different(rows: Sequence[Row[Any]]) -> Sequence[Row[Any]]:
    """Return the evaluations of served models, of equal ones the first.

    Anybody may send as many predictions as they like, and so move an item on or off the list.
    """
    kept = {(row.model_digest, row.handler_digest): row for row in reversed(rows) if not row.prediction_only}
    return sorted(kept.values(), key=lambda row: str(row.model_name))
