"""Refusals as problems."""

from dynabench_common.http.problems import (
    ErrorMap,
    Problem,
    not_found,
    refusal,
    unavailable,
    waits_for_update,
)
from dynabench_common.object_store import ObjectsUnavailable
from dynabench_tasks.configuration.problems import UnknownKind

from scoring.domain.errors import (
    DatasetUnknown,
    ExportRefused,
    FileUnknown,
    ReleaseRefused,
    ReleaseUnknown,
    RoundUnknown,
)

FIELDS = {"unresolved-examples": "accept_unresolved", "licence-missing": "licence"}


def _refused(error: ReleaseRefused) -> Problem:
    field = error.facts.get("split") or FIELDS.get(error.kind, "round_id")
    return Problem(
        409,
        error.kind,
        "The round can't be released so",
        "{text}",
        field=field,
        remedy="{remedy}",
        parameters={"text": error.text, "remedy": error.remedy},
        extra=error.facts,
    )


def _store_away(error: ObjectsUnavailable) -> Problem:
    return unavailable(
        "objects-unavailable",
        "Not available just now",
        "The object store does not answer.",
        error.retry_after_seconds,
    )


ERRORS: ErrorMap = {
    ExportRefused: refusal(
        422,
        "too-large-for-workbook",
        "A workbook can't hold that",
        "{reason}",
        field="format",
        remedy="Choose csv or parquet.",
    ),
    RoundUnknown: lambda _: not_found("round", "round_id"),
    ReleaseUnknown: lambda _: not_found("release", "release_id"),
    DatasetUnknown: lambda _: not_found("dataset", "dataset_id"),
    FileUnknown: lambda _: not_found("file", "path"),
    UnknownKind: lambda error: waits_for_update(error.kind, error.name),
    ReleaseRefused: _refused,
    ObjectsUnavailable: _store_away,
}
