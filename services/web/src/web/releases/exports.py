"""Exports, passed on to the browser piece by piece as the service reads them.

A refusal is a page. What breaks off midway ends the answer without its end, so that no browser takes a part for the
whole.
"""

from collections.abc import Iterator

from dynabench_common.permissions import Permission, requires
from dynabench_common.problems import Problem
from flask import Blueprint, Response, request

from web.kit.dependencies import platform
from web.kit.owned_round import owned_round

JSONL, PARQUET = "jsonl", "parquet"
TYPES = {JSONL: "application/jsonl", PARQUET: "application/x-parquet"}

blueprint = Blueprint("exports", __name__)


@blueprint.get("/tasks/<slug>/rounds/<int:number>/export")
@requires(Permission.EXPORT_ROUND)
def get_round_export(slug: str, number: int) -> Response:
    """Send the examples of a round as they stand."""
    owned = owned_round(Permission.EXPORT_ROUND, slug, number)
    chosen = request.args.get("format", JSONL)
    if chosen not in TYPES:
        raise Problem(
            422,
            "format-unknown",
            "There is no such format",
            "The export can't be written that way.",
            field="format",
            remedy="Choose JSON lines or Parquet.",
        )
    pieces = platform().datasets.export_round(owned.round_id, chosen)
    return _file(pieces, f"{owned.task.slug}-round-{owned.round.number}.{chosen}", TYPES[chosen])


@blueprint.get("/account/export")
@requires(Permission.EXPORT_OWN_WORK)
def get_own_export() -> Response:
    """Send the person's own examples and votes, a line of JSON each."""
    return _file(platform().datasets.export_own(), "my-work.jsonl", TYPES[JSONL])


def _file(pieces: Iterator[bytes], name: str, media_type: str) -> Response:
    response = Response(pieces, content_type=media_type)
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response
