"""Refusals as problems; what is not filled in from the exception alone has a function."""

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

from registry.domain.errors import (
    ArchiveSizeRefused,
    CardIncomplete,
    ModelInTheLoop,
    ModelNameTaken,
    ModelUnknown,
    PartsMissing,
    PartUnknown,
    QuotaUsed,
    ReasonMissing,
    StarterRefused,
    StatesUnknown,
    SubmissionUnknown,
    TaskUnknown,
    TooManyDrafts,
    WebhookRefused,
    WrongState,
)


def _size_refused(error: ArchiveSizeRefused) -> Problem:
    if error.size <= 0:
        return Problem(
            422,
            "archive-empty",
            "Empty archive",
            "The file holds no bytes.",
            field="size",
            remedy="Make the archive again with dynabench models package.",
        )
    return Problem(
        422,
        "archive-too-large",
        "Archive too large",
        "The archive has {size} bytes; {largest} are the most.",
        field="size",
        remedy="Leave out what the model does not need, or save its weights in half precision.",
        parameters={"size": error.size, "largest": error.largest},
    )


def _quota_used(error: QuotaUsed) -> Problem:
    return Problem(
        429,
        "quota-used",
        "Daily limit reached",
        "You used all your {most} submissions to {task} in 24 hours.",
        field="task",
        remedy="You can submit again at {free_at}. Our failures and your cancelled submissions do not count.",
        headers={"Retry-After": str(error.free_in_seconds)},
        parameters={"most": error.most, "task": error.task, "free_at": error.free_at.isoformat()},
    )


def _in_the_loop(error: ModelInTheLoop) -> Problem:
    parameters = {"model": error.model, "rounds": ", ".join(each.name for each in error.rounds)}
    extra = {"rounds": [str(each.round_id) for each in error.rounds]}
    if error.by_owner:
        return Problem(
            409,
            "model-in-the-loop",
            "The model is used in a round",
            "People try to fool {model} in {rounds}.",
            remedy="Remove it from these rounds first, then retire it.",
            parameters=parameters,
            extra=extra,
        )
    return Problem(
        409,
        "model-in-the-loop",
        "The model is used in a round",
        "People try to fool {model} in {rounds}.",
        remedy="Ask an owner of the task to remove it from these rounds. Then withdraw it.",
        parameters=parameters,
        extra=extra,
    )


def _parts_missing(error: PartsMissing) -> Problem:
    return Problem(
        409,
        "parts-missing",
        "Parts are missing",
        "{missing} parts of the archive are missing or incomplete.",
        remedy="Send the missing parts and complete the upload again.",
        parameters={"missing": error.missing},
        extra={"missing": list(error.numbers)},
    )


def _card_incomplete(error: CardIncomplete) -> Problem:
    return Problem(
        422,
        "card-incomplete",
        "The model card is incomplete",
        "A published model needs {missing} on its card.",
        field=f"card.{error.missing[0]}",
        remedy="Fill them in and publish again.",
        parameters={"missing": ", ".join(error.missing)},
        extra={"missing": list(error.missing)},
    )


ERRORS: ErrorMap = {
    SubmissionUnknown: lambda _: not_found("submission", "submission_id"),
    ModelUnknown: lambda _: not_found("model", "name"),
    TaskUnknown: lambda _: not_found("task", "task"),
    UnknownKind: lambda error: waits_for_update(error.kind, error.name),
    ArchiveSizeRefused: _size_refused,
    ModelNameTaken: refusal(
        409,
        "model-name-taken",
        "Name taken",
        "The name {name} belongs to another person's model, or to your model of another task.",
        field="model",
        remedy="Choose another name.",
    ),
    QuotaUsed: _quota_used,
    StarterRefused: refusal(
        422,
        "starter-unusable",
        "No starter model",
        "No starter model can be made: {reason}.",
        field="examples",
        remedy="Change the examples, or submit a model of your own.",
    ),
    TooManyDrafts: refusal(
        409,
        "too-many-uploads",
        "Too many unfinished uploads",
        "You have {most} unfinished uploads, the most allowed.",
        remedy="Finish or cancel one of them.",
    ),
    WrongState: refusal(
        409,
        "submission-state",
        "Not possible now",
        "You can't {act} while the submission is {state}.",
        remedy="Reload the submission: its state may have changed.",
    ),
    ModelInTheLoop: _in_the_loop,
    PartsMissing: _parts_missing,
    PartUnknown: refusal(
        422,
        "part-unknown",
        "No such part",
        "The archive is sent in {parts} parts; there is no part {number}.",
        field="numbers",
        remedy="Ask for parts from 1 to {parts}.",
    ),
    CardIncomplete: _card_incomplete,
    ReasonMissing: refusal(
        422,
        "reason-missing",
        "A reason is needed",
        "The submitter is told why the model was retired.",
        field="reason",
        remedy="Say why.",
    ),
    WebhookRefused: refusal(
        422,
        "webhook-refused",
        "This address can't be called",
        "{reason}",
        field="webhook",
        remedy="Give an https address that can be reached from the internet, or none.",
    ),
    ObjectsUnavailable: lambda error: unavailable(
        "objects-unavailable",
        "Not available just now",
        "The object store does not answer.",
        error.retry_after_seconds,
    ),
    StatesUnknown: lambda error: unavailable(
        "models-unknown", "Not known yet", "Not known yet: {reason}.", 1, parameters={"reason": str(error)}
    ),
}
