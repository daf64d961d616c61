"""Routes: datasets, their cards, descriptions and files."""

from dataclasses import replace

from dynabench_api.datasets import DatasetAnswer, DatasetsAnswer, RowsAnswer
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.auth.private_tasks import hidden_tasks
from dynabench_common.http.openapi import OBJECT, content
from dynabench_common.http.schemas import cut_page
from dynabench_common.http.service import json_response
from flask import Response, redirect
from flask_openapi import APIBlueprint

from scoring.adapters.first_rows import stored_rows
from scoring.adapters.moderation_store import hidden_in
from scoring.dataset import croissant
from scoring.entrypoints.http.dependencies import dependencies
from scoring.entrypoints.http.schemas import (
    DatasetPath,
    DatasetsQuery,
    FilePath,
    RowsQuery,
    dataset_answer_of_whole,
    page_of,
    rows_answer,
)
from scoring.queries import datasets

blueprint = APIBlueprint("datasets", __name__, url_prefix="/api/scoring/v1")
ADDRESS_SECONDS = 900


@blueprint.get("/datasets", responses={200: DatasetsAnswer})
@requires(Permission.READ_DATASET)
def get_datasets(query: DatasetsQuery) -> Response:
    """List datasets, the newest first."""
    found = datasets.released(
        dependencies().engine, query.task, query.before(), query.limit + 1, hidden_tasks()
    )
    return json_response(page_of(*cut_page(found, query.limit, lambda row: row.dataset_id)))


@blueprint.get("/datasets/<uuid:dataset_id>", responses={200: DatasetAnswer})
@requires(Permission.READ_DATASET)
def get_dataset(path: DatasetPath) -> Response:
    """Read a dataset: counts, files with checksums, citation."""
    engine = dependencies().engine
    row = datasets.one_dataset(engine, path.dataset_id)
    measured = datasets.measured(engine, path.dataset_id)
    return json_response(dataset_answer_of_whole(row, "none" if measured is None else measured.state))


@blueprint.get("/datasets/<uuid:dataset_id>/rows", responses={200: RowsAnswer})
@requires(Permission.READ_DATASET)
def get_rows(path: DatasetPath, query: RowsQuery) -> Response:
    """Read the first rows of a split, of one label or of all."""
    needed = dependencies()
    row = datasets.one_dataset(needed.engine, path.dataset_id)
    hidden = hidden_in(needed.engine, row.round_id)
    wanted = replace(query.wanted(), left_out=hidden)
    found = stored_rows(needed.store, datasets.split_key(row, query.split), wanted)
    return json_response(rows_answer(row, found))


@blueprint.get("/datasets/<uuid:dataset_id>/card", responses={200: content("text/markdown")})
@requires(Permission.READ_DATASET)
def get_card(path: DatasetPath) -> Response:
    """Read a dataset's card as Markdown."""
    row = datasets.one_dataset(dependencies().engine, path.dataset_id)
    return Response(row.card, content_type="text/markdown; charset=utf-8")


@blueprint.get(
    "/datasets/<uuid:dataset_id>/croissant", responses={200: content("application/ld+json", schema=OBJECT)}
)
@requires(Permission.READ_DATASET)
def get_croissant(path: DatasetPath) -> Response:
    """Read a dataset's description in Croissant, with the URLs of its files."""
    needed = dependencies()
    row = datasets.one_dataset(needed.engine, path.dataset_id)
    url = f"{needed.public_url}/api/scoring/v1/datasets/{path.dataset_id}"
    answer = json_response(croissant.addressed(row.croissant, url))
    answer.content_type = "application/ld+json"
    return answer


@blueprint.get("/datasets/<uuid:dataset_id>/files/<path:path>", responses={302: None})
@requires(Permission.READ_DATASET)
def get_file(path: FilePath) -> Response:
    """Redirect to a URL for the file. It is valid for 15 minutes."""
    needed = dependencies()
    key = datasets.file_key(needed.engine, path.dataset_id, path.path)
    address = needed.store.address(key, path.path.rsplit("/", 1)[-1], ADDRESS_SECONDS)
    answer = redirect(address)
    return Response(answer.response, 302, answer.headers)
