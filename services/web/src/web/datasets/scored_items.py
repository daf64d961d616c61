"""Single items of scored datasets: samples of variants, the answers to one, suspect labels.

Harmful content is shown after the notice of the task. A dataset with hidden items gets a page that says so.
"""

from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

from dynabench_client.results.models import ScoredDataset
from dynabench_common.auth.permissions import Permission, ensure, requires
from flask import Blueprint, Response, request

from web.datasets.samples_view import answer_views, sample_view, suspect_view
from web.datasets.scored_view import scored_row
from web.kit.configuration import TaskRules, task_rules
from web.kit.content_notice import notice_before
from web.kit.dependencies import platform
from web.kit.items import item_view
from web.kit.outcomes import Outcome, attempt
from web.kit.parallel import page_reads
from web.kit.rendering import go_to, page

SAMPLES = 5
LARGEST_SEED = 2**31 - 1
SAID_ON_THE_PAGE = frozenset({"items-not-shown", "dataset-not-ready", "item-not-found"})
Found = TypeVar("Found")

blueprint = Blueprint("scored_items", __name__)


@blueprint.get("/datasets/scored/<uuid:dataset_id>/samples")
@requires(Permission.READ_DATASET)
def get_samples(dataset_id: UUID) -> Response:
    """Show some items with their variants and the differences."""
    seed = min(max(request.args.get("seed", 0, type=int), 0), LARGEST_SEED)
    dataset, rules = _about(dataset_id)
    if notice := notice_before(rules):
        return notice
    outcome = _read(lambda: platform().evaluations.samples(str(dataset_id), number=SAMPLES, seed=seed))
    found = outcome.value
    return page(
        "datasets/samples.html",
        outcome.problem.status if outcome.problem else 200,
        dataset=scored_row(dataset),
        task=rules,
        samples=[sample_view(each, dataset.dataset_id, rules) for each in found.items] if found else [],
        next_seed=(seed + 1) % LARGEST_SEED,
        problem=outcome.problem,
    )


@blueprint.get("/datasets/scored/<uuid:dataset_id>/item")
@requires(Permission.READ_DATASET)
def get_item(dataset_id: UUID) -> Response:
    """Show an item, and the models that answer it right."""
    item_id = request.args.get("id", "").strip()[:200]
    if not item_id:
        return go_to(f"/datasets/scored/{dataset_id}")
    dataset, rules = _about(dataset_id)
    if notice := notice_before(rules):
        return notice
    outcome = _read(lambda: platform().evaluations.item(str(dataset_id), item_id))
    found = outcome.value
    answers = answer_views(found, rules) if found else []
    return page(
        "datasets/item.html",
        outcome.problem.status if outcome.problem else 200,
        dataset=scored_row(dataset),
        task=rules,
        item_id=item_id,
        item=item_view(found, dataset.dataset_id, rules) if found else None,
        answers=answers,
        right=sum(each.is_right for each in answers),
        problem=outcome.problem,
    )


@blueprint.get("/datasets/scored/<uuid:dataset_id>/suspects")
@requires(Permission.MANAGE_TASK)
def get_suspects(dataset_id: UUID) -> Response:
    """Show suspect labels to an owner."""
    dataset, rules = _about(dataset_id)
    ensure(Permission.MANAGE_TASK, task=dataset.task_slug)
    if notice := notice_before(rules):
        return notice
    outcome = _read(lambda: platform().evaluations.suspects(str(dataset_id)))
    found = outcome.value
    models = len(found.models) if found else 0
    return page(
        "datasets/suspects.html",
        outcome.problem.status if outcome.problem else 200,
        dataset=scored_row(dataset),
        task=rules,
        found=found,
        suspects=[suspect_view(each, models, dataset.dataset_id, rules) for each in found.items]
        if found
        else [],
        problem=outcome.problem,
    )


def _about(dataset_id: UUID) -> tuple[ScoredDataset, TaskRules]:
    client, reads = platform(), page_reads()
    found = reads.read(client.evaluations.scored_dataset, str(dataset_id)).needed()
    return found, task_rules(reads.read(client.annotation.task, found.task_slug).needed())


def _read(read: Callable[[], Found]) -> Outcome[Found]:
    """Return the result of a read, or the reason for hiding it; other refusals become an error page."""
    outcome = attempt(read)
    if outcome.problem is not None and outcome.problem.slug not in SAID_ON_THE_PAGE:
        return Outcome(read())
    return outcome
