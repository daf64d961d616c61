"""Prepare a dataset to score models on: its items, the variants of each, and the requests that they make.

Hidden ones also get a few requests with canaries (`domain/canaries.py`). Each preparation of a hidden dataset writes
its own file of requests, whatever the digest: its words are those that are stored with the dataset.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dynabench_common.identifiers import new_id
from dynabench_common.work.jobs import Heartbeat, LeasedJob
from dynabench_common.work.retried_jobs import Job
from dynabench_common.working_folders import working_folder
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.values import to_text

from evaluation.adapters import request_files
from evaluation.domain import metrics, variants
from evaluation.domain.canaries import Place, Sighting, canaries, shaped_words
from evaluation.domain.errors import DatasetUnusable, TaskUnknown
from evaluation.domain.evaluations import Access, ScoredDataset
from evaluation.domain.items import ORIGINAL, Item, Request
from evaluation.service_layer.dependencies import Dependencies

JSON_LINES, PARQUET = "application/jsonl+gzip", "application/x-parquet"
METRIC_VERSION = 100 * metrics.VERSION + variants.VERSION
"""Identifies the metrics and the variants of an evaluation."""


def prepare_dataset(held: LeasedJob, beat: Heartbeat, app: Dependencies) -> None:
    """Prepare one dataset. Raises DatasetUnusable for one without items, TaskUnknown, ObjectsUnavailable."""
    with app.unit_of_work() as uow:
        dataset = uow.datasets.get(held.key)
    task = app.tasks.of_task(dataset.task_slug)
    with working_folder() as folder:
        items = _items(dataset, folder, app)
        if not items:
            raise DatasetUnusable(
                "no-items", "No example has an agreed label.", "Release a round with checked examples."
            )
        path = folder / "items.jsonl.gz"
        digest, number, clusters = request_files.write_items(path, items)
        counts: dict[str, int] = {}
        names = _text_fields(task)
        planted = canaries(items, names) if dataset.access is Access.HIDDEN else {}
        made = _requests(items, task, names, planted, counts)
        requests = request_files.write_requests(folder / "requests", made)
        beat.show()
        prefix = f"evaluation-datasets/{digest.replace(':', '-')}"
        own = f"-{new_id()}" if planted else ""
        keys = f"{prefix}/items.jsonl.gz", f"{prefix}/requests-{METRIC_VERSION}{own}.parquet"
        app.store.store(keys[0], path, JSON_LINES)
        app.store.store(keys[1], folder / "requests", PARQUET)
    seen = _seen(dataset, items)
    with app.unit_of_work() as uow:
        uow.datasets.finish(
            held,
            digest=digest,
            items_key=keys[0],
            requests_key=keys[1],
            items=number,
            clusters=clusters,
            requests=requests,
            variants=counts,
        )
        uow.canaries.keep(dataset.dataset_id, planted)
        uow.canaries.note([seen])
        uow.commit()


def refusal(err: Exception) -> Mapping[str, Any] | None:
    """Return the error of a job that cannot be done, or None for an exception that a retry may get over."""
    if isinstance(err, DatasetUnusable):
        return {"kind": err.kind, "detail": err.text, "remedy": err.remedy}
    if isinstance(err, TaskUnknown):
        return {"kind": "round-not-found", "detail": "The round is unknown.", "remedy": "Check its id."}
    return None


DATASETS = Job("evaluation datasets", lambda uow: uow.datasets, prepare_dataset, refusal)


def _items(dataset: ScoredDataset, folder: Path, app: Dependencies) -> Sequence[Item]:
    if dataset.items_key is None:
        return list(app.tasks.released_items(dataset.dataset_id, folder))
    app.store.fetch(dataset.items_key, folder / "given")
    return list(request_files.read_items(folder / "given"))


def _text_fields(task: TaskConfiguration) -> Sequence[str]:
    fields = (*task.fields.context, *task.fields.written)
    return [field.name for field in fields if field.type_name == "string"]


def _requests(
    items: Sequence[Item],
    task: TaskConfiguration,
    names: Sequence[str],
    planted: Mapping[str, Request],
    counts: dict[str, int],
) -> Iterator[Request]:
    """Yield the requests of each item and its variants, and count the variants by rule; suites bring their own."""
    by_item = {canary.item: canary for canary in planted.values()}
    for number, item in enumerate(items):
        yield Request(number, ORIGINAL, item.context, item.input)
        for variant in () if item.test else variants.variants(number, item, task.labels, names):
            counts[variant.rule] = counts.get(variant.rule, 0) + 1
            yield variant
        if number in by_item:
            yield by_item[number]


def _seen(dataset: ScoredDataset, items: Sequence[Item]) -> Sighting:
    """Return the words of the items, which may show that another dataset has leaked."""
    texts = (
        text
        for item in items
        for text in (
            item.item_id,
            *map(to_text, (*item.context.values(), *item.input.values(), *item.golds)),
            *item.tags,
        )
    )
    return Sighting(
        Place.DATASET, dataset.dataset_id, f"{dataset.name}, version {dataset.version}", shaped_words(texts)
    )
