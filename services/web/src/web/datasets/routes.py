"""Released datasets: the list, and the page of one, with links to its files in the public interface."""

from urllib.parse import urlencode
from uuid import UUID

from dynabench_client.pages import LARGEST_PAGE
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.datasets.cards import card_view
from web.datasets.loading import folder_lines, load_lines, terminal_lines
from web.datasets.view import dataset_rows, dataset_view
from web.kit.dependencies import dependencies, platform
from web.kit.parallel import page_reads
from web.kit.rendering import page

PAGE = 20

blueprint = Blueprint("datasets", __name__)


@blueprint.get("/datasets")
@requires(Permission.READ_DATASET)
def get_datasets() -> Response:
    """List datasets, of one task or of all, the newest first."""
    client = platform()
    task, cursor = request.args.get("task") or None, request.args.get("cursor") or None
    reads = page_reads()
    named = reads.read(client.annotation.tasks, limit=LARGEST_PAGE)
    listed = reads.read(client.datasets.datasets, task, limit=PAGE, cursor=cursor).needed()
    tasks = named.value()
    titles = {found.slug: found.title or found.slug for found in tasks.items} if tasks else {}
    return page(
        "datasets/list.html",
        datasets=dataset_rows(listed.items),
        titles=titles if task is None else {task: task, **titles},
        task=task or "",
        next_address=_address(task, listed.next_cursor) if listed.next_cursor else None,
        is_first=cursor is None,
    )


@blueprint.get("/datasets/<uuid:dataset_id>")
@requires(Permission.READ_DATASET)
def get_dataset(dataset_id: UUID) -> Response:
    """Show a dataset: content, citation, files and loading code."""
    client = platform()
    text = page_reads().read(client.datasets.card, str(dataset_id))
    found = client.datasets.dataset(str(dataset_id))
    card = text.value()
    base = public_address(found.dataset_id)
    return page(
        "datasets/page.html",
        dataset=dataset_view(found, base),
        card=None if card is None else card_view(card),
        python=load_lines(found, base),
        terminal=terminal_lines(found, base),
        folder=folder_lines(found),
    )


def _address(task: str | None, cursor: str) -> str:
    return "/datasets?" + urlencode({**({"task": task} if task else {}), "cursor": cursor})


def public_address(dataset_id: str) -> str:
    """Return a dataset's address in the public interface, for browsers and programs."""
    return f"{dependencies().settings.public_url.rstrip('/')}/api/scoring/v1/datasets/{dataset_id}"
