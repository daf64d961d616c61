"""Released datasets: the list, and the page of one, with links to its files in the public interface."""

from collections.abc import Sequence
from urllib.parse import urlencode
from uuid import UUID

from dynabench_client.results.base import LARGEST_PAGE
from dynabench_client.results.datasets import Dataset, DatasetRows, DatasetSummary
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.datasets.cards import card_view
from web.datasets.loading import folder_lines, load_lines, terminal_lines
from web.datasets.rows_view import Choice, preview_line, rows_view, split_links
from web.datasets.view import ListEntry, dataset_view, list_entry
from web.kit.content_notice import has_agreed
from web.kit.dependencies import platform
from web.kit.isolation import speak
from web.kit.parallel import Part, page_reads
from web.kit.public_examples import BEST, begin_wall, wall
from web.kit.rendering import page
from web.kit.sharing import own_address

PAGE, ROWS = 20, 50

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
        datasets=_entries(listed.items),
        titles=titles if task is None else {task: task, **titles},
        task=task or "",
        next_address=_address(task, listed.next_cursor) if listed.next_cursor else None,
        is_first=cursor is None,
    )


@blueprint.get("/datasets/<uuid:dataset_id>")
@requires(Permission.READ_DATASET)
def get_dataset(dataset_id: UUID) -> Response:
    """Show a dataset: content, citation, files and loading code."""
    client, reads = platform(), page_reads()
    text = reads.read(client.datasets.card, str(dataset_id))
    examples = begin_wall(BEST, dataset_id=str(dataset_id))
    found = client.datasets.dataset(str(dataset_id))
    choice = Choice.of(request.args)
    is_held_back = _is_held_back(found)
    speak(map(str, found.about.get("languages") or ()))
    rows = None if is_held_back else _rows(found, choice).value()
    card = text.value()
    base = public_address(found.dataset_id)
    return page(
        "datasets/page.html",
        dataset=dataset_view(found, base),
        card=None if card is None else card_view(card),
        choice=choice,
        splits=split_links(found, choice),
        row_labels=found.labels,
        rows=None if rows is None else rows_view(found, rows, choice),
        rows_address=choice.address(found.dataset_id),
        is_held_back=is_held_back,
        python=load_lines(found, base),
        terminal=terminal_lines(found, base),
        folder=folder_lines(found),
        wall=wall(examples, slug=found.task_slug, dataset=found.dataset_id, order=BEST),
    )


def _entries(found: Sequence[DatasetSummary]) -> list[ListEntry]:
    """Return the entries of the list; the first rows are read at the same time."""
    held_back = {each.dataset_id for each in found if _is_held_back(each)}
    read = {
        each.dataset_id: page_reads().read(platform().datasets.rows, each.dataset_id, limit=1)
        for each in found
        if each.dataset_id not in held_back
    }
    previews = {dataset_id: preview_line(part.value()) for dataset_id, part in read.items()}
    return [
        list_entry(each, previews.get(each.dataset_id, ""), is_held_back=each.dataset_id in held_back)
        for each in found
    ]


def _is_held_back(found: DatasetSummary) -> bool:
    """Return whether the person has to ask for the texts first."""
    return bool(found.content_warning) and not has_agreed(found.task_slug)


def _rows(found: Dataset, choice: Choice) -> Part[DatasetRows]:
    return page_reads().read(
        platform().datasets.rows,
        found.dataset_id,
        choice.split,
        label=choice.label or None,
        limit=ROWS,
        offset=choice.offset or None,
    )


def _address(task: str | None, cursor: str) -> str:
    return "/datasets?" + urlencode({**({"task": task} if task else {}), "cursor": cursor})


def public_address(dataset_id: str) -> str:
    """Return a dataset's address in the public interface, for browsers and programs."""
    return own_address(f"/api/scoring/v1/datasets/{dataset_id}")
