"""HTTP problems for refusals of uploaded lines and of imported collections."""

from dynabench_common.json_line_bodies import unusable_lines
from dynabench_common.problems import ErrorMap, Problem
from dynabench_tasks.json_lines import LinesUnusable

from annotation.domain.round import ImportFinished, RoundNotCollected
from annotation.service_layer.context_upload import ContextsUnusable
from annotation.service_layer.imports import ImportDiffers
from annotation.service_layer.record_batch import RecordsUnusable


def _lines(error: LinesUnusable, kind: str) -> Problem:
    return unusable_lines(kind, error.errors, error.error_count)


def _differs(error: ImportDiffers) -> Problem:
    detail = "This task has a round of this source already: {origin}, with no targets."
    if error.targets:
        detail = "This task has a round of this source already: {origin}, with {targets}."
    return Problem(
        409,
        "import-differs",
        "Another import of this collection",
        detail,
        field="source",
        remedy="Name the same targets and origin to go on with it, or give the collection another source name.",
        parameters={"origin": error.origin, "targets": ", ".join(error.targets)},
    )


def _finished(_error: ImportFinished) -> Problem:
    return Problem(
        409,
        "import-finished",
        "The import is finished",
        "The round is closed, and some of these records are not in it. Nothing was stored.",
        field="round_id",
        remedy="Import them under another source name, as a round of their own.",
    )


def _not_collected(_error: RoundNotCollected) -> Problem:
    return Problem(
        409,
        "round-not-collected",
        "The round takes in nothing of this kind",
        "Only a round that was drafted for an import takes records, and only one for a harvest takes text.",
        field="round_id",
        remedy="Start an import of this kind first, and send them to its round.",
    )


IMPORT_ERRORS: ErrorMap = {
    ContextsUnusable: lambda error: _lines(error, "contexts"),
    RecordsUnusable: lambda error: _lines(error, "records"),
    ImportDiffers: _differs,
    ImportFinished: _finished,
    RoundNotCollected: _not_collected,
}
