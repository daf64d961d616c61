"""Refusals as problems; what is not filled in from the exception alone has a function."""

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
        "All submissions of the day are used",
        "Your {most} submissions to {task} of 24 hours are used.",
        field="task",
        remedy="The next one is free at {free_at}. What the platform breaks, and what you cancel, does not count.",
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
            "The model is in the loop",
            "{model} is a target of {rounds}.",
            remedy="Take it out of the targets of each of these rounds first, then take it away.",
            parameters=parameters,
            extra=extra,
        )
    return Problem(
        409,
        "model-in-the-loop",
        "The model is in the loop",
        "{model} is a target of {rounds}.",
        remedy="Ask an owner of the task to take it out of the targets; you can withdraw it then.",
        parameters=parameters,
        extra=extra,
    )


def _parts_missing(error: PartsMissing) -> Problem:
    return Problem(
        409,
        "parts-missing",
        "Parts are missing",
        "{missing} parts of the archive are not here, or not whole.",
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
    TooManyDrafts: refusal(
        409,
        "too-many-uploads",
        "Too many unfinished uploads",
        "You have {most} uploads that have not ended.",
        remedy="Finish or cancel one of them.",
    ),
    WrongState: refusal(
        409,
        "submission-state",
        "Not possible now",
        "One can't {act} while the submission is {state}.",
        remedy="Look at the submission again: it may have moved on.",
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
        "Its submitter is told why the model was taken away.",
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
