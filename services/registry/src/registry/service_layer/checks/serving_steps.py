"""The steps that bring a model to answer: contract, deployed, accepted; between the last two is the smoke test."""

import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any
from uuid import UUID

from dynabench_archives.digests import content_digest
from dynabench_archives.model_servers import Archive, BuildOrder, BuildState, BuildStatus, Fault, Pool
from dynabench_archives.scanning import EntryKind
from dynabench_archives.task_types import Expected, misfit
from dynabench_common.work.jobs import LeaseLost
from dynabench_tasks.configuration.published import read_published

from registry.domain.catalogue import Seen
from registry.domain.errors import AgentAway, DecisionPending, StepFailed
from registry.domain.registration_records import BLOCKED
from registry.domain.serving import sandbox_end
from registry.domain.submission import Submission, SubmissionState, serving_name
from registry.service_layer.checks.step_run import Outcome, StepRun
from registry.service_layer.dependencies import WorkerDependencies

BUILD_SECONDS = 1_200.0
DEPLOY_SECONDS = 780.0
"""Longest wait: for the platform as long as the reconciler waits for it, then for a start, and a little more."""
LOOK_SECONDS = 1.0
OF_ANSWERS = "it answers as"
OF_WORKERS, WORKERS_END = "its workers", "its workers end"
ERROR = re.compile(
    r"(?!RuntimeError: 500 - Unknown exception$)(?:\w+\.)*\w*(?:Error|Exception|Exit|Interrupt)\b"
)
"""A line that names an error, but for the one that TorchServe adds after any error of a program."""
OUR_WORDS = (
    *("can't be isolated", "there is no pool", "can't be brought into the store", "can't be read"),
    BLOCKED,
)
START_REMEDY = "dynabench models check starts it on your own machine and shows what it prints."
OURS_REMEDY = "It did not count against your quota. Run the step again later."


def contract(run: StepRun, app: WorkerDependencies) -> Outcome:
    """Compare what the model reads and answers with the task, and make the archive that is served."""
    description = _description(run.submission)
    expected = _expected(run.submission, app)
    fields, labels = tuple(description["fields"]), tuple(description["labels"])
    reason = misfit(expected, description["task_type"], fields, labels)
    if reason is not None:
        raise StepFailed(
            Fault.YOURS,
            f"The model does not fit the task: {reason}.",
            f"Begin with dynabench models init --task {run.submission.task_slug}, which knows the task's shape.",
        )
    run.say("it reads what the task sends and answers with its labels")
    name = serving_name(run.submission.model_name, run.submission.version)
    if run.submission.pool is Pool.SANDBOXED:
        return Outcome({"served": _served_as_sent(run.submission)})
    return Outcome({"served": _build(run, name, description, app)})


def deployed(run: StepRun, app: WorkerDependencies) -> Outcome:
    """Let it be served, and wait until it is. Raises DecisionPending while an owner must decide on its code."""
    submission = run.submission
    if submission.pool is Pool.SANDBOXED and submission.approved_by is None:
        run.say("it waits for the decision of an owner of the task")
        raise DecisionPending
    name = serving_name(submission.model_name, submission.version)
    with app.unit_of_work() as uow:
        locked = uow.submissions.get(submission.submission_id, lock=True)
        if locked.state is not SubmissionState.CHECKING:
            raise LeaseLost  # it was cancelled or deleted meanwhile
        uow.submissions.change(locked, serving_name=name)
        uow.served.put(submission, name)
        uow.commit()
    run.say(f"to be served as {name}, {'in a sandbox of its own' if _is_code(submission) else 'shared'}")
    seen = _until_ready(run, name, app)
    run.say("its workers are ready" if seen.reason is None else seen.reason)
    return Outcome({"serving_name": name})


def accepted(run: StepRun, _app: WorkerDependencies) -> Outcome:
    """Say so."""
    run.say(f"{run.submission.serving_name} answers; write its card and publish it, or try it first")
    return Outcome()


def _expected(submission: Submission, app: WorkerDependencies) -> Expected:
    """Return what the task's published configuration asks of models. Raises UnknownKind, ConfigurationError."""
    with app.unit_of_work() as uow:
        read = read_published(uow.tasks.configuration(submission.task_slug))
    claimed = read.claimed_field
    return Expected(tuple(claimed.answered_by), tuple(read.instance_fields), tuple(read.labels))


def _build(
    run: StepRun, name: str, description: Mapping[str, Any], app: WorkerDependencies
) -> Mapping[str, Any]:
    """Let the agent build the served archive from the data alone; return its note."""
    submission = run.submission
    order = BuildOrder(
        submission_id=submission.submission_id,
        source_key=submission.archive.key,
        source_digest=submission.archive.digest,
        name=name,
        version=str(submission.version),
        task_type=str(description["task_type"]),
        fields=tuple(description["fields"]),
        labels=tuple(description["labels"]),
        max_tokens=description.get("max_tokens"),
    )
    run.say("building the served archive from its data, with the platform's handler")
    try:
        return _built(run, order, app)
    except StepFailed:
        _end_build(submission.submission_id, app)
        raise
    except LeaseLost:
        with app.unit_of_work() as uow:
            state = uow.submissions.get(submission.submission_id).state
        if state is not SubmissionState.CHECKING:  # cancelled or deleted; else another worker waits for it
            _end_build(submission.submission_id, app)
        raise


def _built(run: StepRun, order: BuildOrder, app: WorkerDependencies) -> Mapping[str, Any]:
    submission = run.submission
    app.builder.start(order)  # one that failed before is made anew; one that runs or is done stays
    reported = 0
    until = time.monotonic() + BUILD_SECONDS
    while time.monotonic() < until:
        status = app.builder.status(submission.submission_id)
        if status is None:
            app.builder.start(order)
            reported = 0
        else:
            for line in status.log[reported:]:
                run.say(line)
            reported = len(status.log)
            if status.state is BuildState.DONE and status.archive is not None:
                return _served(submission, status.archive)
            if status.state is BuildState.FAILED:
                raise _build_failure(status)
        run.pause(LOOK_SECONDS)
    raise StepFailed(Fault.OURS, f"The build took longer than {BUILD_SECONDS:.0f} s.", OURS_REMEDY)


def _end_build(submission_id: UUID, app: WorkerDependencies) -> None:
    with suppress(AgentAway):
        app.builder.remove(submission_id, (), None)


def _until_ready(run: StepRun, name: str, app: WorkerDependencies) -> Seen:
    until = time.monotonic() + DEPLOY_SECONDS
    reported = ""
    while time.monotonic() < until:
        app.serving.ask_for(name)
        seen = app.serving.seen(name)
        state = seen.state if seen else "not looked at yet"
        if seen is not None and seen.state != "failed" and (seen.reason or "").startswith(BLOCKED):
            state += f": {seen.reason}"
        if state != reported:
            run.say(f"the model is {state}")
            reported = state
        if seen is not None and seen.state == "ready":
            return seen
        if seen is not None and seen.state == "failed":
            printed = app.builder.printed(name) if _is_code(run.submission) else ()
            run.quote(printed)
            raise _start_failure(run.submission, seen.reason or "", _first_error(printed))
        run.pause(LOOK_SECONDS)
    raise StepFailed(
        Fault.OURS, f"It was not served within {DEPLOY_SECONDS:.0f} s ({reported}).", OURS_REMEDY
    )


def _start_failure(submission: Submission, reason: str, error: str | None) -> StepFailed:
    """Return the failure of a start: the submitter's fault for a program, unless the platform cannot run any.

    The text after OF_WORKERS and OF_ANSWERS may be the program's own output. So it does not decide the fault.
    """
    is_ours = not reason.startswith((OF_WORKERS, OF_ANSWERS)) and any(words in reason for words in OUR_WORDS)
    if not _is_code(submission) or is_ours:
        return StepFailed(Fault.OURS, f"Its workers do not start: {reason}", OURS_REMEDY)
    said = error if error and reason.startswith(WORKERS_END) else reason
    return StepFailed(Fault.YOURS, f"Its workers do not start: {said}", START_REMEDY)


def _first_error(printed: Sequence[str]) -> str | None:
    """Return the first line that names an error, since later ones are its consequences, and the sandbox's end."""
    first = next((line.strip() for line in printed if ERROR.match(line.strip())), None)
    return "; ".join(filter(None, (first, sandbox_end(printed)))) or None


def _build_failure(status: BuildStatus) -> StepFailed:
    return StepFailed(
        status.fault or Fault.OURS,
        status.reason or "The archive could not be built.",
        status.remedy or OURS_REMEDY,
    )


def _description(submission: Submission) -> Mapping[str, Any]:
    description = (submission.scan or {}).get("description")
    if description is None:
        raise StepFailed(Fault.OURS, "The result of the scan is missing.", "Run the step scanned again.")
    return dict(description)


def _is_code(submission: Submission) -> bool:
    return submission.pool is Pool.SANDBOXED


def _served_as_sent(submission: Submission) -> Mapping[str, Any]:
    """Return what is known of an archive with code, which is served as it was sent.

    Its digests are those of the bytes that arrived. What it declares decides nothing: answers that were recorded under
    its digests are taken over by every model with the same.
    """
    sent, entries = submission.archive, (submission.scan or {})["entries"]
    handler = {entry["path"]: entry["sha256"] for entry in entries if entry["kind"] == EntryKind.CODE}
    archive = Archive(
        file=f"{sent.digest.removeprefix('sha256:')}.mar",
        sha256=sent.digest,
        model_digest=sent.digest,
        handler_digest=content_digest(handler),
        size=sent.size,
        key=sent.key,
    )
    return _served(submission, archive)


def _served(submission: Submission, archive: Archive) -> Mapping[str, Any]:
    """Return what is stored of the archive that is served: the model's shape, and the archive."""
    description = _description(submission)
    return {
        "task_type": description["task_type"],
        "fields": list(description["fields"]),
        "labels": list(description["labels"]),
        **asdict(archive),
    }
