"""The smoke test: three samples, asked through the gateway as everybody asks.

Each is asked alone, then all at once in another order: what a model keeps between requests shows in between.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from dynabench_archives.model_servers import Fault, Pool
from dynabench_archives.serving_contract import (
    ModelShape,
    find_changes,
    find_flaws,
    sample_instances,
)

from registry.domain.errors import PlatformBusy, StepFailed
from registry.domain.serving import sandbox_end
from registry.domain.submission import Submission
from registry.service_layer.checks.step_run import Outcome, StepRun
from registry.service_layer.dependencies import WorkerDependencies

PREDICT_WAIT_SECONDS = 30
PREDICT_TRIES = 4
PAUSE_SECONDS = 2.0
SHOWN_ANSWER_CHARACTERS = 4_000
SHOWN_TEXT_CHARACTERS = 60
DEADLINE_PASSED = "deadline-passed"
OF_THE_MODEL = frozenset(
    {DEADLINE_PASSED, "model-answer-unreadable", "model-crashed", "model-failing", "prediction-failed"}
)
"""Problems of the gateway that a model itself is the cause of."""
FAILS_REMEDY = (
    "Look at the log of this step, try the same with dynabench models check, "
    "and submit the corrected archive."
)


def smoke_test(run: StepRun, app: WorkerDependencies) -> Outcome:
    """Ask a model that is served; return the samples with their answers. Raises StepFailed, PlatformBusy."""
    try:
        return _asked(run, app)
    except (StepFailed, PlatformBusy) as err:
        if not _is_code(run.submission):
            raise
        printed = app.builder.printed(run.submission.serving_name or "")
        run.quote(printed)
        ended = sandbox_end(printed)
        if ended is None:
            raise
        remedy = err.remedy if isinstance(err, StepFailed) else FAILS_REMEDY
        raise StepFailed(Fault.YOURS, f"{err} {ended[0].upper()}{ended[1:]}.", remedy) from err


def _asked(run: StepRun, app: WorkerDependencies) -> Outcome:
    description = (run.submission.scan or {})["description"]
    shape = ModelShape(description["task_type"], tuple(description["fields"]), tuple(description["labels"]))
    samples = sample_instances(shape)
    bodies: list[Mapping[str, Any]] = []
    shown = []
    for sample in samples:
        bodies.append(_answer(run, shape, [sample], len(bodies), app))
        shown.append({"instance": dict(sample), "answer": _shown(bodies[-1]["predictions"][0])})
        run.say(f"answered: {str(shown[-1]['answer'])[:200]}")
    again = _answer(run, shape, samples[::-1], len(bodies), app)
    first = {"predictions": [body["predictions"][0] for body in reversed(bodies)]}
    changes = find_changes(first, again)
    if changes:
        raise _breach(
            run.submission,
            f"The same text has another answer the second time: {changes[0].reason}.",
            changes[0].remedy,
        )
    run.say("answered the same texts alike when they came together")
    return Outcome(shown=tuple(shown))


def _answer(
    run: StepRun,
    shape: ModelShape,
    instances: Sequence[Mapping[str, str]],
    answered: int,
    app: WorkerDependencies,
) -> Mapping[str, Any]:
    """Return the body of an answer without flaws; `answered` requests have been answered before."""
    status, body = _ask(run, instances, answered, app)
    flaws = find_flaws(shape, {"instances": [dict(each) for each in instances]}, status, body)
    if flaws:
        text = next(iter(instances[0].values()))[:SHOWN_TEXT_CHARACTERS]
        raise _breach(
            run.submission,
            f"Its answer to {text!r} breaks the contract: {flaws[0].reason}.",
            flaws[0].remedy,
        )
    return body


def _ask(
    run: StepRun, instances: Sequence[Mapping[str, str]], answered: int, app: WorkerDependencies
) -> tuple[int, Mapping[str, Any]]:
    name = run.submission.serving_name or ""
    said = ""
    for attempt in range(PREDICT_TRIES):
        try:
            status, body = app.predictor.predict(name, instances, PREDICT_WAIT_SECONDS)
        except PlatformBusy as err:
            run.say(f"the gateway does not answer yet: {err}")
            run.pause(PAUSE_SECONDS * (attempt + 1))
            continue
        if status not in {404, 503}:
            return status, body
        said = str(body.get("detail", "")) or f"status {status}"
        run.say(f"the gateway says {status}: {said}")
        slug = str(body.get("type", "")).rsplit("/", 1)[-1]
        is_late = slug == DEADLINE_PASSED and attempt < PREDICT_TRIES - 1  # other work may have delayed it
        is_its_own = _is_code(run.submission) and status == 503 and (answered or slug in OF_THE_MODEL)
        if is_its_own and not is_late:
            failed = f"After {answered} requests it failed: {said}"
            raise StepFailed(
                Fault.YOURS, failed if answered else f"It fails when it is asked: {said}", FAILS_REMEDY
            )
        run.pause(PAUSE_SECONDS * (attempt + 1))
    raise PlatformBusy(f"the gateway gave no answer of {name} in {PREDICT_TRIES} tries: {said}")


def _breach(submission: Submission, reason: str, remedy: str) -> StepFailed:
    """Return a breach of the contract: of the platform's own handler it is the platform's fault."""
    fault = Fault.YOURS if _is_code(submission) else Fault.OURS
    return StepFailed(fault, reason, remedy)


def _is_code(submission: Submission) -> bool:
    return submission.pool is Pool.SANDBOXED


def _shown(answer: Any) -> Any:
    """Return an answer as it is shown, cut where it is long."""
    text = str(answer)
    return answer if len(text) <= SHOWN_ANSWER_CHARACTERS else text[:SHOWN_ANSWER_CHARACTERS] + "…"
