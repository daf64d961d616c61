"""Commands of people: upload datasets and predictions, repeat or cancel evaluations."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from dynabench_common.identifiers import new_id
from dynabench_common.working_folders import working_folder
from dynabench_events.score import Fault
from dynabench_tasks.json_lines import Line

from evaluation.adapters import request_files
from evaluation.domain.diagnostics import is_suite
from evaluation.domain.errors import EvaluationRefused
from evaluation.domain.evaluations import (
    OPEN_STATES,
    Access,
    Evaluation,
    EvaluationState,
    External,
    Kind,
    LiveModel,
    ScoredDataset,
)
from evaluation.service_layer.answer_shards import packed
from evaluation.service_layer.dependencies import Dependencies, HttpDependencies
from evaluation.service_layer.given_items import read_items, read_predictions
from evaluation.service_layer.look_at_items import ensure_ready
from evaluation.service_layer.prepare import JSON_LINES, METRIC_VERSION

NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?")
OF_ROUND = re.compile(r".*-round-\d+")
NAME_REMEDY = "Use small letters, digits and hyphens, at most 80, for example my-challenge-set."


@dataclass(frozen=True)
class AddDataset:
    """Make a file of items a dataset of a task, or the next version of one."""

    task_slug: str
    name: str
    title: str
    access: Access
    licence: str
    lines: Iterable[Line]
    person_id: UUID


@dataclass(frozen=True)
class AddPredictions:
    """Have predictions scored that were made elsewhere, under the name of a model that nobody serves.

    Lines may hold scores within `scale` in place of answers; `figures` were measured elsewhere, in `FIGURE_UNITS`.
    """

    dataset_id: UUID
    model_name: str
    lines: Iterable[Line]
    person_id: UUID
    scale: tuple[float, float] = (0.0, 1.0)
    figures: tuple[tuple[str, float], ...] = ()


def add_dataset(command: AddDataset, app: Dependencies) -> ScoredDataset:
    """Store a dataset, and have it prepared; the same items again are the same version.

    Raises EvaluationRefused, ItemsUnusable, TaskUnknown, ObjectsUnavailable.
    """
    ensure_name(command.name, "name")
    if OF_ROUND.fullmatch(command.name):
        raise EvaluationRefused(
            "dataset-name-reserved", "name", "Names of this form belong to released rounds.", NAME_REMEDY
        )
    items = read_items(command.lines, app.tasks.of_task(command.task_slug))
    with working_folder() as folder:
        digest, number, clusters = request_files.write_items(folder / "items", items)
        key = f"evaluation-datasets/{digest.replace(':', '-')}/items.jsonl.gz"
        app.store.store(key, folder / "items", JSON_LINES)
    with app.unit_of_work() as uow:
        uow.datasets.serialise_name(command.name)
        before = uow.datasets.newest(command.name)
        if before is not None and (before.task_slug, before.created_by) != (
            command.task_slug,
            command.person_id,
        ):
            raise EvaluationRefused(
                "dataset-name-taken", "name", "Somebody else's dataset has this name.", "Choose another name."
            )
        if before is not None and before.digest == digest and before.access is command.access:
            return before
        dataset = ScoredDataset(
            dataset_id=new_id(),
            name=command.name,
            version=1 if before is None else before.version + 1,
            title=command.title or command.name,
            task_slug=command.task_slug,
            kind=Kind.DIAGNOSTIC if is_suite(items) else Kind.STATIC,
            access=command.access,
            licence=command.licence,
            digest=digest,
            created_by=command.person_id,
            requested_at=app.clock.now(),
            items_key=key,
            items=number,
            clusters=clusters,
        )
        uow.datasets.add(dataset)
        uow.commit()
    return dataset


def add_predictions(command: AddPredictions, app: HttpDependencies) -> UUID:
    """Have predictions scored; return the id of the evaluation. The same ones again are the same evaluation.

    Raises DatasetUnknown, EvaluationRefused, PredictionsUnusable, TaskUnknown, ObjectsUnavailable.
    """
    ensure_name(command.model_name, "model")
    with app.unit_of_work() as uow:
        dataset = uow.datasets.get(command.dataset_id)
        owner = uow.evaluations.model_owner(command.model_name)
    if dataset.access is not Access.OPEN:
        raise EvaluationRefused(
            "dataset-not-open",
            "dataset_id",
            "Predictions can be uploaded for open datasets alone; the items of this one are not shown.",
            "Submit the model, which is then evaluated on it.",
        )
    ensure_ready(dataset)
    if owner is not None and owner != (command.person_id, True):
        raise EvaluationRefused(
            "model-name-taken", "model", "A model has this name already.", "Choose another name."
        )
    task = app.tasks.of_task(dataset.task_slug)
    items = app.files.items(dataset)
    given, are_scores = read_predictions(command.lines, items, task, command.scale)
    if are_scores and is_suite(items):
        raise EvaluationRefused(
            "suite-needs-answers",
            "score",
            "A diagnostic suite needs answers, because it is reported test by test.",
            "Upload answers in place of scores.",
        )
    external = External(are_scores, command.figures) if are_scores or command.figures else None
    content = packed(given)
    stated = repr(external).encode() if external is not None else b""
    digest = f"sha256:{hashlib.sha256(content + stated).hexdigest()}"
    model = LiveModel(
        command.model_name,
        dataset.task_slug,
        digest,
        "",
        command.person_id,
        published=True,
        prediction_only=True,
        external=external,
    )
    with app.unit_of_work() as uow:
        evaluation_id = uow.evaluations.take_predictions(
            model, dataset, METRIC_VERSION, content, app.clock.now()
        )
        uow.commit()
    return evaluation_id


def run_again(evaluation_id: UUID, app: Dependencies) -> Evaluation:
    """Queue an evaluation again that ended without a score, or one that is stuck. Raises EvaluationUnknown."""
    with app.unit_of_work() as uow:
        found = uow.evaluations.get(evaluation_id, for_update=True)
        if found.state is EvaluationState.DONE:
            raise EvaluationRefused(
                "evaluation-done",
                "evaluation_id",
                "It is done already.",
                "A new version of the dataset or of the model is evaluated automatically.",
            )
        uow.evaluations.queue_again(evaluation_id, app.clock.now())
        uow.commit()
        return uow.evaluations.get(evaluation_id)


def cancel(evaluation_id: UUID, app: Dependencies) -> Evaluation:
    """End an evaluation that is still open. Raises EvaluationUnknown, EvaluationRefused."""
    with app.unit_of_work() as uow:
        found = uow.evaluations.get(evaluation_id, for_update=True)
        if found.state not in OPEN_STATES:
            raise EvaluationRefused(
                "evaluation-ended", "evaluation_id", "It has ended already.", "Look at its result."
            )
        uow.evaluations.end(evaluation_id, Fault.CANCELLED, "Somebody cancelled it.", app.clock.now())
        uow.commit()
        return uow.evaluations.get(evaluation_id)


def ensure_name(name: str, field: str) -> None:
    """Raise EvaluationRefused unless the name can stand in addresses."""
    if not NAME.fullmatch(name):
        raise EvaluationRefused("name-unusable", field, f"The name {name[:60]!r} can't be used.", NAME_REMEDY)
