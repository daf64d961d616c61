"""Datasets for scoring models: the list, and the page of one."""

from urllib.parse import urlencode
from uuid import UUID

from dynabench_client.results.base import LARGEST_PAGE
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, make_response, render_template, request

from web.datasets.leaks_view import leaks_view
from web.datasets.scored_view import HIDDEN, OPEN, rule_rows, scored_row
from web.kit.dependencies import platform
from web.kit.parallel import page_reads
from web.kit.rendering import is_htmx, page
from web.kit.session import viewer

PAGE = 20
LOOK_SECONDS = 2

blueprint = Blueprint("scored_datasets", __name__)


@blueprint.get("/datasets/scored")
@requires(Permission.READ_DATASET)
def get_scored_datasets() -> Response:
    """List the datasets for scoring models, of one task or of all, the newest first."""
    client, reads = platform(), page_reads()
    task, cursor = request.args.get("task") or None, request.args.get("cursor") or None
    named = reads.read(client.annotation.tasks, limit=LARGEST_PAGE)
    listed = reads.read(client.evaluations.scored_datasets, task, limit=PAGE, cursor=cursor).needed()
    tasks = named.value()
    titles = {found.slug: found.title or found.slug for found in tasks.items} if tasks else {}
    return page(
        "datasets/scored_list.html",
        datasets=[scored_row(each) for each in listed.items],
        titles=titles if task is None else {task: task, **titles},
        task=task or "",
        may_upload=[slug for slug in ([task] if task else titles) if viewer().owns(slug)],
        next_address=_address(task, listed.next_cursor) if listed.next_cursor else None,
        is_first=cursor is None,
    )


@blueprint.get("/datasets/scored/<uuid:dataset_id>")
@requires(Permission.READ_DATASET)
def get_scored_dataset(dataset_id: UUID) -> Response:
    """Show a dataset on which models are scored: its contents and the visibility of its items."""
    client, reads = platform(), page_reads()
    metrics = reads.read(client.evaluations.metrics)
    found = reads.read(client.evaluations.scored_dataset, str(dataset_id)).needed()
    is_owner = viewer().owns(found.task_slug)
    return page(
        "datasets/scored.html",
        dataset=scored_row(found),
        rules=rule_rows(found.variants, metrics.value()),
        digest=found.digest,
        shows_items=found.access == OPEN or (is_owner and found.access != HIDDEN),
        is_owner=is_owner,
        leaks=leaks_view(found.leaks) if found.leaks else None,
        look_seconds=LOOK_SECONDS,
    )


@blueprint.get("/datasets/scored/<uuid:dataset_id>/state")
@requires(Permission.READ_DATASET)
def get_state(dataset_id: UUID) -> Response:
    """Send the progress of the preparation to the waiting page; the whole page once it is done."""
    dataset = scored_row(platform().evaluations.scored_dataset(str(dataset_id)))
    if not dataset.is_preparing and is_htmx():
        return make_response("", 200, {"HX-Refresh": "true"})
    return make_response(render_template("datasets/scored_state.html", dataset=dataset))


def _address(task: str | None, cursor: str) -> str:
    return "/datasets/scored?" + urlencode({**({"task": task} if task else {}), "cursor": cursor})
