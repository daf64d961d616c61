"""Refusals as problems."""

from dynabench_common.object_store import ObjectsUnavailable
from dynabench_common.problems import (
    ErrorMap,
    Problem,
    not_found,
    refusal,
    unavailable,
    waits_for_update,
)
from dynabench_tasks.configuration.problems import UnknownKind

from scoring.domain.errors import (
    DatasetUnknown,
    ExportRefused,
    FileUnknown,
    InstancesRefused,
    OwnExample,
    PublicExampleUnknown,
    ReasonMissing,
    ReleaseRefused,
    ReleaseUnknown,
    RoundUnknown,
    SplitUnknown,
    TargetInTheLoop,
    TargetNotServed,
    TargetSilent,
    TooManyReports,
)

USUAL_PAUSE_SECONDS = 5
FIELDS = {"unresolved-examples": "accept_unresolved", "licence-missing": "licence"}


def _refused(error: ReleaseRefused) -> Problem:
    field = error.facts.get("split") or FIELDS.get(error.kind, "round_id")
    return Problem(
        409,
        error.kind,
        "The round can't be released this way",
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


def _too_many_reports(error: TooManyReports) -> Problem:
    return Problem(
        429,
        "too-many-reports",
        "As many as a day allows",
        "You reported {most} examples within a day, which is as many as one may.",
        remedy="Try again in {minutes} minutes.",
        headers={"Retry-After": str(error.seconds)},
        parameters={"most": error.most, "minutes": -(-error.seconds // 60)},
    )


def _silent(error: TargetSilent) -> Problem:
    return unavailable(
        "explanation-unavailable",
        "No explanation just now",
        "The model is starting, or is busy.",
        round(error.retry_after_seconds or USUAL_PAUSE_SECONDS),
    )


ERRORS: ErrorMap = {
    OwnExample: refusal(
        409,
        "own-example",
        "Your own example",
        "You wrote this example, so you can't decide about it.",
        remedy="Ask another owner or an administrator.",
    ),
    TargetSilent: _silent,
    TargetNotServed: refusal(
        409,
        "target-not-served",
        "The model can't be asked any more",
        "The model {target} that gave this answer no longer runs here.",
        field="target",
        remedy="Choose another model of the example.",
    ),
    TargetInTheLoop: refusal(
        409,
        "target-in-the-loop",
        "No explanation while the round is open",
        "People try to fool the model {target} in an open round, and its task allows no inspections.",
        field="target",
        remedy="Come back when the round is closed.",
    ),
    InstancesRefused: refusal(
        409,
        "not-explainable",
        "No explanation of this answer",
        "The model {target} can't explain its answer on this text.",
        field="target",
        remedy="Choose another model of the example.",
    ),
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
    SplitUnknown: lambda _: Problem(
        404,
        "split-not-found",
        "No such split",
        "The dataset has no split of this name.",
        field="split",
        remedy="Choose a split that the dataset lists.",
    ),
    PublicExampleUnknown: lambda _: not_found("public example", "example_id"),
    ReasonMissing: refusal(
        422,
        "reason-missing",
        "A reason is missing",
        "The example is another person's, and nothing says why you decide so.",
        field="reason",
        remedy="Give a reason, which the audit log keeps. To show the example again, send it to PUT …/shown.",
    ),
    TooManyReports: _too_many_reports,
    UnknownKind: lambda error: waits_for_update(error.kind, error.name),
    ReleaseRefused: _refused,
    ObjectsUnavailable: _store_away,
}
