"""Routes: exports, sent while they are read."""

from collections.abc import Iterator

from dynabench_common.auth.permissions import Permission, requires, signed_in_person
from dynabench_common.auth.private_tasks import hidden_tasks
from dynabench_common.http.openapi import content
from flask import Response
from flask_openapi import APIBlueprint

from scoring.adapters import exports
from scoring.adapters.exports import ExportFormat
from scoring.entrypoints.http.dependencies import dependencies, ensure_in_round
from scoring.entrypoints.http.schemas import ExportQuery, RoundPath

blueprint = APIBlueprint("exports", __name__, url_prefix="/api/scoring/v1")
TYPES = {
    ExportFormat.JSONL: "application/jsonl",
    ExportFormat.PARQUET: "application/x-parquet",
    ExportFormat.CSV: "text/csv; charset=utf-8",
    ExportFormat.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


@blueprint.get("/rounds/<uuid:round_id>/export", responses={200: content(*TYPES.values())})
@requires(Permission.EXPORT_ROUND)
def get_round_export(path: RoundPath, query: ExportQuery) -> Response:
    """Export a round in its current state. Only for owners."""
    ensure_in_round(Permission.EXPORT_ROUND, path.round_id)
    content = exports.round_in_progress(
        dependencies().engine, path.round_id, query.format, with_free_text=query.explanations
    )
    first = next(content, b"")
    return _file(_going_on(first, content), f"round-{path.round_id}.{query.format}", TYPES[query.format])


@blueprint.get("/people/me/export", responses={200: content(TYPES[ExportFormat.JSONL])})
@requires(Permission.EXPORT_OWN_WORK)
def get_own_export() -> Response:
    """Export your own examples and votes as JSON lines."""
    content = exports.own_work(dependencies().engine, signed_in_person(), hidden_tasks())
    return _file(content, "own-work.jsonl", TYPES[ExportFormat.JSONL])


def _going_on(first: bytes, content: Iterator[bytes]) -> Iterator[bytes]:
    """Yield a first piece and the rest, which is closed with this."""
    yield first
    yield from content


def _file(content: Iterator[bytes], name: str, media_type: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, content_type=media_type, headers=headers)
