"""Refusals as problems."""

from dynabench_common.http.json_line_bodies import unusable_lines
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
    EvaluationRefused,
    EvaluationUnknown,
    ExportRefused,
    FileUnknown,
    ItemsNotShown,
    ItemUnknown,
    ReleaseRefused,
    ReleaseUnknown,
    RoundUnknown,
)
from scoring.service_layer.evaluations.given_items import ItemsUnusable, PredictionsUnusable

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


def _evaluation_refused(error: EvaluationRefused) -> Problem:
    return Problem(
        409,
        error.kind,
        "That can't be done with evaluations",
        "{text}",
        field=error.field,
        remedy="{remedy}",
        parameters={"text": error.text, "remedy": error.remedy},
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
    EvaluationUnknown: lambda _: not_found("evaluation", "evaluation_id"),
    EvaluationRefused: _evaluation_refused,
    ItemUnknown: lambda _: not_found("item", "id"),
    ItemsNotShown: refusal(
        403,
        "items-not-shown",
        "The items are not shown",
        "Of this dataset scores alone are shown, or its items to owners of its task alone.",
        field="dataset_id",
        remedy="Look at its scores, or ask an owner of its task.",
    ),
    ItemsUnusable: lambda error: unusable_lines("items", error.errors, error.error_count),
    PredictionsUnusable: lambda error: unusable_lines("predictions", error.errors, error.error_count),
    RoundUnknown: lambda _: not_found("round", "round_id"),
    ReleaseUnknown: lambda _: not_found("release", "release_id"),
    DatasetUnknown: lambda _: not_found("dataset", "dataset_id"),
    FileUnknown: lambda _: not_found("file", "path"),
    UnknownKind: lambda error: waits_for_update(error.kind, error.name),
    ReleaseRefused: _refused,
    ObjectsUnavailable: _store_away,
}
