"""Messages for callers when a model is unavailable."""

import math
from uuid import UUID

from gateway.domain.breaker import BreakerReport
from gateway.domain.errors import CallFailed, Fault, RequestRefused, Unavailable
from gateway.domain.routes import FAILED, Route, WorkerKind

SENTENCES = {
    Fault.AWAY: ("model-server-away", "The model server of {name} does not answer.", 2),
    Fault.TIMED_OUT: ("deadline-passed", "The model {name} did not answer in time.", 1),
    Fault.CRASHED: ("model-crashed", "The worker of {name} died, and again on the second try.", 8),
    Fault.BATCH_FAILED: ("prediction-failed", "The model {name} could not answer.", 5),
    Fault.NO_WORKER: ("model-not-ready", "The model {name} has no free worker just now.", 5),
    Fault.NOT_SERVED: ("model-not-ready", "The model {name} is being loaded.", 5),
    Fault.UNREADABLE: ("model-answer-unreadable", "The model {name} gave an unusable answer.", 5),
}


def outage(name: str, failure: CallFailed) -> Unavailable | RequestRefused:
    """Return the refusal for a failed call."""
    if failure.fault is Fault.REFUSED:
        return RequestRefused("model-refused", "instances", failure.detail, "Change the request.")
    slug, sentence, retry_after = SENTENCES[failure.fault]
    return Unavailable(slug, sentence.format(name=name), retry_after)


def deadline_passed(name: str, seconds: float, instances: int = 1) -> Unavailable:
    """Return the refusal for a caller whose deadline passed before all instances were answered."""
    detail = f"The model {name} did not answer within {seconds:g} s."
    return Unavailable("deadline-passed", detail, 1, instances)


def explanation_too_slow(name: str, seconds: float) -> RequestRefused:
    """Return the refusal for an explanation that exceeded its time limit."""
    reason = f"the explanation by {name} takes longer than {seconds:g} s"
    remedy = "Shorten the text, or ask for fewer steps (parameters.n_steps)."
    return RequestRefused("explanation-too-slow", "instances", reason, remedy)


def breaker_open(name: str, report: BreakerReport) -> Unavailable:
    """Return the refusal while the breaker is open."""
    return Unavailable(
        "model-failing",
        f"The last {report.failures_in_a_row} calls to {name} failed. It gets a short break.",
        max(math.ceil(report.retry_after_seconds), 1),
    )


def model_changed(name: str) -> Unavailable:
    """Return the refusal if two versions of a model answered the instances."""
    return Unavailable("model-changed", f"The model {name} was replaced while it answered.", 1)


def uncounted(name: str) -> Unavailable:
    """Return the refusal if a person's probe can't be counted."""
    detail = f"Direct requests to {name} are counted, and the service that counts them does not answer."
    return Unavailable("probes-uncounted", detail, 5)


def not_loaded() -> Unavailable:
    """Return the refusal before the registry has been reached for the first time."""
    return Unavailable("not-ready", "The registry has not been reached yet.", 1)


def not_ready(name: str, state: str) -> Unavailable:
    """Return the answer to a readiness request for a model that is not ready."""
    return Unavailable("model-not-ready", f"The workers of {name} are {state}.", 5)


def not_accepted(name: str) -> Unavailable:
    """Return the refusal for a model whose checks are not finished."""
    return Unavailable(
        "model-in-checks", f"The checks of {name} are not finished, and only they may ask it.", 5
    )


def not_running(route: Route, kind: WorkerKind, evaluation: UUID | None = None) -> Unavailable:
    """Return the refusal for a model whose workers do not run."""
    workers, slug, what = {
        WorkerKind.PREDICTOR: (route, "model", "prediction"),
        WorkerKind.EXPLAINER: (route.explain, "explainer", "explanation"),
        WorkerKind.SCORER: (None if evaluation is None else route.scorer(evaluation), "model", "scoring"),
    }[kind]
    if workers is not None and workers.state == FAILED:
        reason = workers.reason or "unknown"
        detail = f"The {what} workers of {route.name} could not be started: {reason}."
        return Unavailable(f"{slug}-failed", detail, 30)
    detail = f"The {what} workers are starting, usually 9-16 s."
    return Unavailable(f"{slug}-starting", detail, 5)
