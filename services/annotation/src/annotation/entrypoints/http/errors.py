"""HTTP problems for each refusal."""

from dynabench_common.idempotency import ConcurrentReplay, IdempotencyKeyReused
from dynabench_common.problems import ErrorMap, Problem, not_found, unavailable, waits_for_update
from dynabench_tasks.configuration.problems import ConfigurationError, UnknownKind
from dynabench_tasks.fields import InputRefused

from annotation.domain.context import ContextRepeated
from annotation.domain.errors import (
    GatewayUnavailable,
    InspectionUnavailable,
    NotFound,
    ObjectsUnavailable,
    SlugTaken,
    TargetRefusesInput,
    TargetUnknown,
)
from annotation.domain.example import NothingToDecide, NotTheAuthor, TargetDidNotAnswer
from annotation.domain.round import (
    EnsembleTooSmall,
    ProbesNotAllowed,
    RoundHasNoContexts,
    RoundImmutable,
    RoundNotOpen,
    TransitionRefused,
)
from annotation.domain.task import LabelInUse
from annotation.entrypoints.http.assignment_errors import ASSIGNMENT_ERRORS
from annotation.entrypoints.http.duplicate_errors import DUPLICATE_ERRORS
from annotation.entrypoints.http.front_model import FRONT_MODEL_ERRORS
from annotation.entrypoints.http.import_errors import IMPORT_ERRORS
from annotation.entrypoints.http.target_errors import TARGET_ERRORS
from annotation.service_layer.predictions import Undecidable
from annotation.service_layer.rounds import TargetUnfit
from annotation.service_layer.target_probes import TargetInTheLoop
from annotation.service_layer.tries import ConfigurationChanged


def _configuration(error: ConfigurationError) -> Problem:
    more = len(error.rest)
    detail = "{field} {reason}."
    if more:
        detail = (
            "{field} {reason}. {more} more problems beside it."
            if more > 1
            else "{field} {reason}. 1 more problem beside it."
        )
    return Problem(
        422,
        "configuration-unusable",
        "Unusable task configuration",
        detail,
        field=error.path,
        remedy="{remedy}",
        parameters={"field": error.path, "reason": error.reason, "remedy": error.remedy, "more": more},
        extra={"errors": [_told(each) for each in error.problems]},
    )


def _told(problem: ConfigurationError) -> dict[str, str]:
    return {"field": problem.path, "detail": f"{problem.path} {problem.reason}.", "remedy": problem.remedy}


def _label_in_use(error: LabelInUse) -> Problem:
    return Problem(
        409,
        "label-in-use",
        "A label in use can't disappear",
        "Examples of this task claim the label {label!r}.",
        field="output[0].labels",
        remedy="Keep {label!r} among the labels.",
        parameters={"label": error.label},
    )


def _slug_taken(_error: SlugTaken) -> Problem:
    return Problem(
        409,
        "slug-taken",
        "Already taken",
        "Another task has this slug.",
        field="slug",
        remedy="Choose another slug, or change that task's configuration.",
    )


def _input(error: InputRefused) -> Problem:
    return Problem(
        422,
        "input-unusable",
        "Unusable input",
        "{field} {reason}.",
        field=error.field,
        remedy="{remedy}",
        parameters={"field": error.field, "reason": error.reason, "remedy": error.remedy},
    )


def _repeated(error: ContextRepeated) -> Problem:
    detail = "contexts[{position}] is in the round already. Nothing was stored."
    if error.first_position is not None:
        detail = "contexts[{position}] is the same as contexts[{first}]. Nothing was stored."
    return Problem(
        409,
        "context-repeated",
        "The same context twice",
        detail,
        field=f"contexts[{error.position}]",
        remedy="Remove it and send the rest again.",
        parameters={"position": error.position, "first": error.first_position},
    )


def _transition(error: TransitionRefused) -> Problem:
    possible = ", ".join(sorted(error.possible))
    return Problem(
        409,
        "round-transition-refused",
        "The round can't move there",
        "A round that is {state} can't become {wanted}.",
        field="state",
        remedy="From {state} it can become: {possible}."
        if possible
        else "From {state} it can become: nothing.",
        parameters={"state": error.state, "wanted": error.wanted, "possible": possible},
    )


def _not_open(error: RoundNotOpen) -> Problem:
    return Problem(
        409,
        f"round-{error.state}",
        "The round is not open",
        "The round is {state}; it takes no tries.",
        field="round_id",
        remedy="Choose an open round of this task.",
        parameters={"state": error.state},
    )


def _immutable(error: RoundImmutable) -> Problem:
    return Problem(
        409,
        f"round-{error.state}",
        "The round takes no changes",
        "The round is {state}.",
        field="round_id",
        remedy="Choose another round.",
        parameters={"state": error.state},
    )


def _round_empty(_error: RoundHasNoContexts) -> Problem:
    return Problem(
        409,
        "round-without-contexts",
        "The round has no contexts",
        "People would have nothing to start from.",
        field="round_id",
        remedy="Add at least one context, then open the round.",
    )


def _ensemble(error: EnsembleTooSmall) -> Problem:
    return Problem(
        409,
        "ensemble-too-small",
        "Too few targets",
        "The task's rule needs {needed} wrong targets; the round has {targets}.",
        field="targets",
        remedy="Draft a round with at least {needed} targets, or none.",
        parameters={"needed": error.needed, "targets": error.targets},
    )


def _unfit(error: TargetUnfit) -> Problem:
    return Problem(
        409,
        "target-unfit",
        "A target can't be used",
        "Target {target} {reason}.",
        field="targets",
        remedy="{remedy}",
        parameters={"target": error.target, "reason": error.why, "remedy": error.remedy},
    )


def _target_unknown(error: TargetUnknown) -> Problem:
    return Problem(
        409,
        "target-unknown",
        "No such target",
        "Target {target}: {reason}",
        field="target",
        remedy="List the served models and choose one that serves this.",
        parameters={"target": error.target, "reason": error.reason},
    )


def _undecidable(error: Undecidable) -> Problem:
    missing = "; ".join(f"{answer.target}: {answer.reason}" for answer in error.missing)
    return unavailable(
        "verdict-undecidable",
        "No verdict just now",
        "Too few targets answered to decide the verdict ({missing}).",
        error.retry_after_seconds,
        {"missing": missing},
    )


def _refused_by_target(error: TargetRefusesInput) -> Problem:
    return Problem(
        422,
        "refused-by-target",
        "A target can't take this text",
        "Target {target}: {reason}",
        field="input",
        remedy="Shorten or change the text.",
        parameters={"target": error.target, "reason": error.reason},
    )


def _inspection(error: InspectionUnavailable) -> Problem:
    problem = unavailable(
        "inspection-unavailable",
        "No explanation just now",
        "{reason}",
        error.retry_after_seconds,
        {"reason": error.reason},
    )
    problem.status = error.status
    return problem


def _no_probes(_error: ProbesNotAllowed) -> Problem:
    return Problem(
        403,
        "probes-not-allowed",
        "No probes before the round is closed",
        "This task lets nobody who creates in a round probe or inspect its targets meanwhile.",
        remedy="Inspect your examples once the round is closed.",
    )


def _in_the_loop(error: TargetInTheLoop) -> Problem:
    return Problem(
        403,
        "target-in-the-loop",
        "People try to fool this model",
        "Model {target} is a target of a round that is not closed.",
        field="target",
        remedy="Choose a model that is in no loop, or try to fool this one in its round.",
        parameters={"target": error.target},
    )


def _nothing_to_decide(_error: NothingToDecide) -> Problem:
    return Problem(
        409,
        "already-decided",
        "Nothing to decide",
        "No answer on this example waits for your word: its verdict is decided.",
        field="example_id",
        remedy="Write another example.",
    )


def _no_answer(error: TargetDidNotAnswer) -> Problem:
    return Problem(
        409,
        "target-did-not-answer",
        "Nothing to inspect",
        "The example holds no answer of target {target}.",
        field="target",
        remedy="Choose one of: {answered}." if error.answered else "Choose one of: none answered.",
        parameters={"target": error.target, "answered": ", ".join(error.answered)},
    )


def _key_reused(_error: IdempotencyKeyReused) -> Problem:
    return Problem(
        422,
        "idempotency-key-reused",
        "Idempotency-Key used before",
        "This key came with another body before.",
        field="Idempotency-Key",
        remedy="Send a fresh key with a new try, and the same body with a retry.",
    )


def _key_in_use(_error: ConcurrentReplay) -> Problem:
    return Problem(
        409,
        "idempotency-key-in-use",
        "Idempotency-Key in use",
        "Another request with this key was stored at the same moment.",
        field="Idempotency-Key",
        remedy="Send the same request again to get its example.",
    )


ERROR_MAP: ErrorMap = {
    **IMPORT_ERRORS,
    **TARGET_ERRORS,
    **DUPLICATE_ERRORS,
    **ASSIGNMENT_ERRORS,
    **FRONT_MODEL_ERRORS,
    ConfigurationError: _configuration,
    UnknownKind: lambda error: waits_for_update(error.kind, error.name),
    LabelInUse: _label_in_use,
    SlugTaken: _slug_taken,
    InputRefused: _input,
    ContextRepeated: _repeated,
    TransitionRefused: _transition,
    RoundNotOpen: _not_open,
    RoundImmutable: _immutable,
    RoundHasNoContexts: _round_empty,
    EnsembleTooSmall: _ensemble,
    TargetUnfit: _unfit,
    TargetUnknown: _target_unknown,
    Undecidable: _undecidable,
    TargetRefusesInput: _refused_by_target,
    InspectionUnavailable: _inspection,
    # As if there were none: see access.ensure_may_see.
    NotTheAuthor: lambda _error: not_found("example", "example_id"),
    NothingToDecide: _nothing_to_decide,
    ProbesNotAllowed: _no_probes,
    TargetInTheLoop: _in_the_loop,
    TargetDidNotAnswer: _no_answer,
    IdempotencyKeyReused: _key_reused,
    ConcurrentReplay: _key_in_use,
    NotFound: lambda error: not_found(error.what, error.field),
    ObjectsUnavailable: lambda error: unavailable(
        "images-unavailable",
        "No images just now",
        "The store of images does not answer.",
        error.retry_after_seconds,
    ),
    GatewayUnavailable: lambda error: unavailable(
        "gateway-unavailable",
        "The targets can't be checked just now",
        "The gateway does not answer.",
        error.retry_after_seconds,
    ),
    ConfigurationChanged: lambda _error: unavailable(
        "configuration-changed",
        "The task's rules changed just now",
        "The task got another configuration while your text was checked.",
        1,
    ),
}
