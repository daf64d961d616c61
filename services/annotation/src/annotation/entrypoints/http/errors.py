"""How each refusal reads over HTTP."""

from dynabench_common.idempotency import ConcurrentReplay, IdempotencyKeyReused
from dynabench_common.problems import ErrorMap, Problem, not_found, unavailable, waits_for_update
from dynabench_tasks.configuration.problems import ConfigurationError, UnknownKind
from dynabench_tasks.fields import InputRefused

from annotation.domain.assignment import ContextNotAssigned, NoContexts, QuotaReached
from annotation.domain.context import ContextRepeated
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
from annotation.entrypoints.http.import_errors import IMPORT_ERRORS
from annotation.service_layer.assignments import ExplanationNeeded
from annotation.service_layer.image_ports import ObjectsUnavailable
from annotation.service_layer.ports import (
    GatewayUnavailable,
    InspectionUnavailable,
    NotFound,
    SlugTaken,
    TargetRefusesInput,
    TargetUnknown,
)
from annotation.service_layer.predictions import Undecidable
from annotation.service_layer.rounds import TargetUnfit
from annotation.service_layer.sandbox import TargetInTheLoop
from annotation.service_layer.tries import ConfigurationChanged


def _configuration(error: ConfigurationError) -> Problem:
    more = len(error.rest)
    others = f" {more} more problem{'s' if more > 1 else ''} beside it." if more else ""
    detail = f"{error.path} {error.reason}.{others}"
    return Problem(
        422,
        "configuration-unusable",
        "Unusable task configuration",
        detail,
        field=error.path,
        remedy=error.remedy,
        extra={"errors": [_told(each) for each in error.problems]},
    )


def _told(problem: ConfigurationError) -> dict[str, str]:
    return {"field": problem.path, "detail": f"{problem.path} {problem.reason}.", "remedy": problem.remedy}


def _label_in_use(error: LabelInUse) -> Problem:
    return Problem(
        409,
        "label-in-use",
        "A label in use can't disappear",
        f"Examples of this task claim the label {error.label!r}.",
        field="output[0].labels",
        remedy=f"Keep {error.label!r} among the labels.",
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
        422, "input-unusable", "Unusable input", f"{error}", field=error.field, remedy=error.remedy
    )


def _repeated(error: ContextRepeated) -> Problem:
    where = "is in the round already"
    if error.first_position is not None:
        where = f"is the same as contexts[{error.first_position}]"
    return Problem(
        409,
        "context-repeated",
        "The same context twice",
        f"contexts[{error.position}] {where}. Nothing was stored.",
        field=f"contexts[{error.position}]",
        remedy="Remove it and send the rest again.",
    )


def _transition(error: TransitionRefused) -> Problem:
    possible = ", ".join(sorted(error.possible)) or "nothing"
    return Problem(
        409,
        "round-transition-refused",
        "The round can't move there",
        f"A round that is {error.state} can't become {error.wanted}.",
        field="state",
        remedy=f"From {error.state} it can become: {possible}.",
    )


def _not_open(error: RoundNotOpen) -> Problem:
    return Problem(
        409,
        f"round-{error.state}",
        "The round is not open",
        f"The round is {error.state}; it takes no tries. Nothing was stored.",
        field="round_id",
        remedy="Keep your text, and choose an open round of this task.",
    )


def _immutable(error: RoundImmutable) -> Problem:
    return Problem(
        409,
        f"round-{error.state}",
        "The round takes no changes",
        f"The round is {error.state}.",
        field="round_id",
        remedy="Choose another round.",
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
        f"The task's rule needs {error.needed} wrong targets; the round has {error.targets}.",
        field="targets",
        remedy=f"Draft a round with at least {error.needed} targets, or none.",
    )


def _unfit(error: TargetUnfit) -> Problem:
    return Problem(
        409,
        "target-unfit",
        "A target can't be used",
        f"Target {error.target} {error.why}.",
        field="targets",
        remedy=error.remedy,
    )


def _target_unknown(error: TargetUnknown) -> Problem:
    return Problem(
        409,
        "target-unknown",
        "No such target",
        f"Target {error.target}: {error.reason}",
        field="target",
        remedy="List the served models and choose one that serves this.",
    )


def _not_assigned(_error: ContextNotAssigned) -> Problem:
    return Problem(
        409,
        "context-not-assigned",
        "Not your context",
        "You were not given this context in this round.",
        field="context_id",
        remedy="Ask for a context first, and send the id that you get.",
    )


def _quota(error: QuotaReached) -> Problem:
    return Problem(
        409,
        f"{error.scope}-quota-reached",
        "No tries left",
        f"The task allows {error.limit} tries of one person on a {error.scope}. Nothing was stored.",
        field="context_id" if error.scope == "context" else "round_id",
        remedy=f"Go on with another {error.scope}.",
    )


def _no_contexts(_error: NoContexts) -> Problem:
    return Problem(
        409,
        "no-contexts",
        "No context left",
        "This round has no other context for you.",
        field="round_id",
        remedy="Go on with the one you have, choose another round, or ask the task's owner to add contexts.",
    )


def _undecidable(error: Undecidable) -> Problem:
    missing = "; ".join(f"{answer.target}: {answer.reason}" for answer in error.missing)
    detail = f"Too few targets answered to decide the verdict ({missing})."
    return unavailable("verdict-undecidable", "No verdict just now", detail, error.retry_after_seconds)


def _refused_by_target(error: TargetRefusesInput) -> Problem:
    return Problem(
        422,
        "refused-by-target",
        "A target can't take this text",
        f"Target {error.target}: {error.reason}",
        field="input",
        remedy="Shorten or change the text.",
    )


def _inspection(error: InspectionUnavailable) -> Problem:
    problem = unavailable(
        "inspection-unavailable", "No explanation just now", error.reason, error.retry_after_seconds
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
        f"Model {error.target} is a target of a round that is not closed.",
        field="target",
        remedy="Choose a model that is in no loop, or try to fool this one in its round.",
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


def _explanation_needed(error: ExplanationNeeded) -> Problem:
    return Problem(
        409,
        "explanation-needed",
        "Say why it was fooled",
        f"This task asks for a reason whenever a model was fooled, and example {error.example_id} has none yet.",
        field="explanations.model",
        remedy="Explain that example or retract it; then you get another context.",
    )


def _no_answer(error: TargetDidNotAnswer) -> Problem:
    return Problem(
        409,
        "target-did-not-answer",
        "Nothing to inspect",
        f"The example holds no answer of target {error.target}.",
        field="target",
        remedy="Choose one of: " + (", ".join(error.answered) or "none answered") + ".",
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
    ContextNotAssigned: _not_assigned,
    QuotaReached: _quota,
    NoContexts: _no_contexts,
    Undecidable: _undecidable,
    TargetRefusesInput: _refused_by_target,
    InspectionUnavailable: _inspection,
    # As if there were none: see access.ensure_may_see.
    NotTheAuthor: lambda _error: not_found("example", "example_id"),
    NothingToDecide: _nothing_to_decide,
    ExplanationNeeded: _explanation_needed,
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
