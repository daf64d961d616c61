"""HTTP problems for each refusal."""

from math import ceil

from dynabench_common.http.idempotency import ConcurrentReplay, IdempotencyKeyReused
from dynabench_common.http.json_line_bodies import unusable_lines
from dynabench_common.object_store import ObjectsUnavailable
from dynabench_common.onboarding.refusals import ERRORS as ONBOARDING
from dynabench_common.problems import (
    ErrorMap,
    Problem,
    not_found,
    refusal,
    unavailable,
    waits_for_update,
)
from dynabench_tasks.configuration.problems import ConfigurationError, UnknownKind
from dynabench_tasks.fields import InputRefused

from annotation.domain.assignment import ContextNotAssigned, NoContexts, QuotaReached, TooManyPassedOver
from annotation.domain.context import ContextRepeated
from annotation.domain.errors import (
    GatewayUnavailable,
    InspectionUnavailable,
    NotFound,
    SlugTaken,
    TargetRefusesInput,
    TargetUnknown,
)
from annotation.domain.example import (
    NoDuplicate,
    NothingToDecide,
    NotTheAuthor,
    OwnExample,
    TargetDidNotAnswer,
)
from annotation.domain.round import (
    EnsembleTooSmall,
    ImportFinished,
    ProbesNotAllowed,
    RoundHasNoContexts,
    RoundImmutable,
    RoundNotCollected,
    RoundNotOpen,
    RoundWouldBeEmptied,
    TransitionRefused,
)
from annotation.domain.task import LabelInUse
from annotation.domain.work_order import WorkAssignedBefore, WorkEnded
from annotation.service_layer.assignments import ExplanationNeeded
from annotation.service_layer.context_upload import ContextsUnusable
from annotation.service_layer.front_model import FrontModelClosed, FrontModelSilent
from annotation.service_layer.imports import ImportDiffers
from annotation.service_layer.predictions import Undecidable
from annotation.service_layer.probes import TargetInTheLoop
from annotation.service_layer.record_batch import RecordsUnusable
from annotation.service_layer.rounds import TargetUnfit
from annotation.service_layer.tries import ConfigurationChanged
from annotation.service_layer.visitor_limits import TooManyVisitors


def _configuration(error: ConfigurationError) -> Problem:
    more = len(error.rest)
    detail = "{field} {reason}."
    if more:
        detail = (
            "{field} {reason}. {more} more problems were found."
            if more > 1
            else "{field} {reason}. 1 more problem was found."
        )
    return Problem(
        422,
        "configuration-unusable",
        "Unusable task configuration",
        detail,
        field=error.path,
        remedy="{remedy}",
        parameters={"field": error.path, "reason": error.reason, "remedy": error.remedy, "more": more},
        extra={"errors": [_described(each) for each in error.problems]},
    )


def _described(problem: ConfigurationError) -> dict[str, str]:
    return {"field": problem.path, "detail": f"{problem.path} {problem.reason}.", "remedy": problem.remedy}


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
        "This change of the round is not possible",
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
        "The round is {state}, so nobody can submit in it.",
        field="round_id",
        remedy="Choose an open round of this task.",
        parameters={"state": error.state},
    )


def _immutable(error: RoundImmutable) -> Problem:
    return Problem(
        409,
        f"round-{error.state}",
        "The round can't be changed",
        "The round is {state}.",
        field="round_id",
        remedy="Choose another round.",
        parameters={"state": error.state},
    )


def _quota(error: QuotaReached) -> Problem:
    return Problem(
        409,
        f"{error.scope}-quota-reached",
        "No tries left",
        "The task allows {limit} tries per {scope} and person. Nothing was stored.",
        field="context_id" if error.scope == "context" else "round_id",
        remedy="Continue with another {scope}.",
        parameters={"limit": error.limit, "scope": "text" if error.scope == "context" else error.scope},
    )


def _passed_over(error: TooManyPassedOver) -> Problem:
    return Problem(
        429,
        "too-many-passed-over",
        "Too many texts skipped",
        "You can skip {limit} texts of a round in an hour, reported ones included.",
        field="not_context_id",
        remedy="Use your present text, unless you reported it. You can get another in {seconds} s.",
        headers={"Retry-After": str(error.retry_after_seconds)},
        parameters={"limit": error.limit, "seconds": error.retry_after_seconds},
    )


def _undecidable(error: Undecidable) -> Problem:
    missing = "; ".join(f"{answer.target}: {answer.reason}" for answer in error.missing)
    return unavailable(
        "verdict-undecidable",
        "No verdict just now",
        "Too few models answered to decide the verdict ({missing}).",
        error.retry_after_seconds,
        {"missing": missing},
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


def _no_answer(error: TargetDidNotAnswer) -> Problem:
    return Problem(
        409,
        "target-did-not-answer",
        "Nothing to inspect",
        "The model {target} has no answer on this example.",
        field="target",
        remedy="Choose one of: {answered}." if error.answered else "Choose one of: none answered.",
        parameters={"target": error.target, "answered": ", ".join(error.answered)},
    )


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


def _too_many_visitors(error: TooManyVisitors) -> Problem:
    minutes = ceil(error.retry_after_seconds / 60)
    return Problem(
        429,
        "front-tries-used-up",
        "That is enough for now",
        "Many people try this model just now."
        if error.of_all
        else "You have used all your tries without an account.",
        remedy="Sign up and continue in an open round, or try again in {minutes} minutes."
        if minutes > 1
        else "Sign up and continue in an open round, or try again in a minute.",
        headers={"Retry-After": str(error.retry_after_seconds)},
        parameters={"minutes": minutes},
    )


ERRORS: ErrorMap = {
    **ONBOARDING,
    # Anything
    NotFound: lambda error: not_found(error.what, error.field),
    InputRefused: refusal(
        422, "input-unusable", "Unusable input", "{field} {reason}.", field="{field}", remedy="{remedy}"
    ),
    IdempotencyKeyReused: refusal(
        422,
        "idempotency-key-reused",
        "Idempotency-Key used before",
        "This key came with another body before.",
        field="Idempotency-Key",
        remedy="Send a fresh key with a new try, and the same body with a retry.",
    ),
    ConcurrentReplay: refusal(
        409,
        "idempotency-key-in-use",
        "Idempotency-Key in use",
        "Another request with this key was stored at the same moment.",
        field="Idempotency-Key",
        remedy="Send the same request again to get its example.",
    ),
    # Tasks
    ConfigurationError: _configuration,
    ConfigurationChanged: lambda _error: unavailable(
        "configuration-changed",
        "The task's rules changed just now",
        "The task's configuration changed while your text was checked.",
        1,
    ),
    UnknownKind: lambda error: waits_for_update(error.kind, error.name),
    LabelInUse: refusal(
        409,
        "label-in-use",
        "A label in use can't be removed",
        "Examples of this task claim the label {label!r}.",
        field="output[0].labels",
        remedy="Keep {label!r} among the labels.",
    ),
    SlugTaken: refusal(
        409,
        "slug-taken",
        "Already taken",
        "Another task has this slug.",
        field="slug",
        remedy="Choose another slug, or change that task's configuration.",
    ),
    # Rounds
    TransitionRefused: _transition,
    RoundNotOpen: _not_open,
    RoundImmutable: _immutable,
    RoundHasNoContexts: refusal(
        409,
        "round-without-contexts",
        "The round has no contexts",
        "People would have nothing to start from.",
        field="round_id",
        remedy="Add at least one context, then open the round.",
    ),
    RoundWouldBeEmptied: refusal(
        409,
        "round-would-be-emptied",
        "The round would have no model to fool",
        "Nobody could fool a model in this round any more, and its rates would not change.",
        field="targets",
        remedy="Name a model, or confirm that the round continues without one.",
    ),
    EnsembleTooSmall: refusal(
        409,
        "ensemble-too-small",
        "Too few models to fool",
        "The task's rule needs {needed} wrong models, but the round has {targets}.",
        field="targets",
        remedy="Draft a round with at least {needed} models to fool, or none.",
    ),
    WorkAssignedBefore: lambda error: Problem(
        409,
        "work-assigned-before",
        "A person has assigned work already",
        "These people have such work in this round: {names}. Nothing was assigned.",
        field="people",
        remedy="Withdraw or reassign their work first, or leave them out.",
        parameters={"names": ", ".join(error.names)},
    ),
    WorkEnded: refusal(
        409,
        "work-ended",
        "This work is no longer assigned",
        "It was withdrawn or given to somebody else before, or none of its texts is left.",
        field="order_id",
        remedy="Open the list of assigned work again.",
    ),
    # Targets
    TargetUnfit: refusal(
        409,
        "target-unfit",
        "A model can't be used",
        "Model {target} {reason}.",
        field="targets",
        remedy="{remedy}",
    ),
    TargetUnknown: refusal(
        409,
        "target-unknown",
        "No such model",
        "Model {target}: {reason}",
        field="target",
        remedy="Choose another of the served models.",
    ),
    TargetRefusesInput: refusal(
        422,
        "refused-by-target",
        "A model can't read this text",
        "Model {target}: {reason}",
        field="input",
        remedy="Shorten or change the text.",
    ),
    TargetInTheLoop: refusal(
        403,
        "target-in-the-loop",
        "People try to fool this model",
        "People try to fool {target} in a round that is not closed.",
        field="target",
        remedy="Choose another model, or try to fool this one in its round.",
    ),
    ProbesNotAllowed: refusal(
        403,
        "probes-not-allowed",
        "No inspection before the round is closed",
        "In this task, authors can't try or inspect a round's models before it is closed.",
        remedy="Inspect your examples once the round is closed.",
    ),
    InspectionUnavailable: _inspection,
    Undecidable: _undecidable,
    GatewayUnavailable: lambda error: unavailable(
        "gateway-unavailable",
        "The models can't be checked just now",
        "The gateway does not answer.",
        error.retry_after_seconds,
    ),
    # Contexts and assignments
    ContextRepeated: _repeated,
    ContextsUnusable: lambda error: unusable_lines("contexts", error.errors, error.error_count),
    ContextNotAssigned: refusal(
        409,
        "context-not-assigned",
        "Not your text",
        "You did not get this text in this round.",
        field="context_id",
        remedy="Get a text first, and send its id.",
    ),
    NoContexts: refusal(
        409,
        "no-contexts",
        "No text left",
        "This round has no other text for you.",
        field="round_id",
        remedy="Continue with your present text, choose another round, or ask the task's owner to add texts.",
    ),
    QuotaReached: _quota,
    TooManyPassedOver: _passed_over,
    ExplanationNeeded: refusal(
        409,
        "explanation-needed",
        "Say why it was fooled",
        "This task needs a reason for every fooled model. Example {example_id} has none yet.",
        field="explanations.model",
        remedy="Explain that example or retract it to get the next text.",
    ),
    # Examples
    # As if there were none: see access.ensure_may_see.
    NotTheAuthor: lambda _error: not_found("example", "example_id"),
    NothingToDecide: refusal(
        409,
        "already-decided",
        "Nothing to decide",
        "The verdict on this example is decided already.",
        field="example_id",
        remedy="Write another example.",
    ),
    TargetDidNotAnswer: _no_answer,
    NoDuplicate: refusal(
        409,
        "no-duplicate",
        "Not marked as a duplicate",
        "The example counts already: no earlier text is equal to it, or an owner has decided so.",
        field="example_id",
        remedy="Leave it as it is.",
    ),
    OwnExample: refusal(
        403,
        "own-example",
        "Your own example",
        "You can't decide about your own examples.",
        field="example_id",
        remedy="Ask another owner of the task or an administrator to decide.",
    ),
    # Imported collections
    RecordsUnusable: lambda error: unusable_lines("records", error.errors, error.error_count),
    ImportDiffers: _differs,
    ImportFinished: refusal(
        409,
        "import-finished",
        "The import is finished",
        "The round is closed, and some of these records are not in it. Nothing was stored.",
        field="round_id",
        remedy="Import them under another source name, as a round of their own.",
    ),
    RoundNotCollected: refusal(
        409,
        "round-not-collected",
        "The round accepts nothing of this kind",
        "Only a round that was drafted for an import takes records, and only one for a harvest takes text.",
        field="round_id",
        remedy="Start an import of this kind first, and send them to its round.",
    ),
    # Images
    ObjectsUnavailable: lambda error: unavailable(
        "images-unavailable",
        "No images just now",
        "The store of images does not answer.",
        error.retry_after_seconds,
    ),
    # The model for visitors
    FrontModelClosed: refusal(
        409,
        "front-model-closed",
        "There is no model to try just now",
        "The demo model is used in a round now, or does not answer.",
        remedy="Sign up and write in an open round, or come back later.",
    ),
    TooManyVisitors: _too_many_visitors,
    FrontModelSilent: lambda error: unavailable(
        "front-model-silent",
        "The model did not answer",
        "The model gave no answer in time.",
        error.retry_after_seconds,
    ),
}
