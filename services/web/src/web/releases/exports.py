"""Export of a round's examples in their present state."""

from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.problems import Problem
from flask import Blueprint, Response, request

from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.owned_round import owned_round
from web.kit.rendering import JSONL, download

TYPES = {
    "jsonl": JSONL,
    "parquet": "application/x-parquet",
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

blueprint = Blueprint("exports", __name__)


@blueprint.get("/tasks/<slug>/rounds/<int:number>/export")
@requires(Permission.EXPORT_ROUND)
def get_round_export(slug: str, number: int) -> Response:
    """Send the examples of a round in their present state."""
    owned = owned_round(Permission.EXPORT_ROUND, slug, number)
    chosen = request.args.get("format", "jsonl")
    if chosen not in TYPES:
        raise Problem(
            422,
            "format-unknown",
            _("This format does not exist"),
            _("Exports do not have this format."),
            field="format",
            remedy=_("Choose JSON lines, Parquet, CSV or XLSX."),
        )
    pieces = platform().datasets.export_round(owned.round_id, chosen)
    return download(pieces, f"{owned.task.slug}-round-{owned.round.number}.{chosen}", TYPES[chosen])
