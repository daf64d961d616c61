"""Refusals as problems."""

from dynabench_common.http.json_line_bodies import unusable_lines
from dynabench_common.problems import ErrorMap, Problem, not_found, refusal

from evaluation.domain.errors import (
    DatasetUnknown,
    EvaluationRefused,
    EvaluationUnknown,
    ItemsNotShown,
    ItemUnknown,
    TaskUnknown,
)
from evaluation.service_layer.given_items import ItemsUnusable, PredictionsUnusable


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
    EvaluationUnknown: lambda _: not_found("evaluation", "evaluation_id"),
    EvaluationRefused: _evaluation_refused,
    ItemUnknown: lambda _: not_found("item", "id"),
    ItemsNotShown: refusal(
        403,
        "items-not-shown",
        "The items are not shown",
        "Only scores of this dataset are shown, or only owners of its task see the items.",
        field="dataset_id",
        remedy="Look at its scores, or ask an owner of its task.",
    ),
    ItemsUnusable: lambda error: unusable_lines("items", error.errors, error.error_count),
    PredictionsUnusable: lambda error: unusable_lines("predictions", error.errors, error.error_count),
    TaskUnknown: lambda _: not_found("round", "round_id"),
    DatasetUnknown: lambda _: not_found("dataset", "dataset_id"),
}
