"""`dynabench models submit` and the verbs for submissions."""

import json
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from dynabench_client.archive_upload import ArchiveFile, ArchiveUpload, FileChangedError, PartRefusedError
from dynabench_client.areas.submissions import SubmissionsClient
from dynabench_client.results.models import SubmissionStep, WholeSubmission
from dynabench_toolkit.signing import signature_of

from dynabench_cli import output
from dynabench_cli.card_files import front_matter, listed, whole_number
from dynabench_cli.output import AsJson, Output, byte_progress
from dynabench_cli.session import OURS, YOURS, InputError, Yes, client_of, confirm, should_ask

app = typer.Typer()

Id = Annotated[str, typer.Argument(help="Id of the submission, printed by submit")]
LOOK_SECONDS = 1.0
MARKS = {"waiting": "○", "running": "●", "held": "‖", "passed": "✓", "failed": "✗"}
FAULTS = {
    "yours": "yours",
    "ours": "ours: it did not count against your quota",
    "owner": "a decision of the task's owner",
}
COLUMNS = {
    "submission": lambda each: each.submission_id,
    "model": lambda each: f"{each.model} v{each.version}",
    "task": lambda each: each.task,
    "state": lambda each: each.state,
    "step": lambda each: each.step,
    "served as": lambda each: each.serving_name,
    "begun": lambda each: each.created_at,
}
DELETION = (
    "Archive, logs, samples, scan and card are gone for good.",
    "Name, version, task, digests, dates and your reason stay, and so do its scores.",
    "Nobody can use the name and version again.",
)
Follow = Annotated[bool, typer.Option("--follow", help="Stay and show each step until the checks end")]


@app.command()
def submit(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A .mar archive", exists=True, dir_okay=False)],
    task: Annotated[str, typer.Option(help="The task's slug")],
    model: Annotated[str | None, typer.Option(help="The model's name; else the file's")] = None,
    webhook: Annotated[str | None, typer.Option(help="An https address that gets each step")] = None,
    signature: Annotated[
        Path | None, typer.Option(help="Its signature; else FILE.sig, if that and its public key are there")
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(help="The signer's public key, PEM; else the signature's file with .pub.pem"),
    ] = None,
    parts: Annotated[int, typer.Option(min=1, max=16, help="Parts sent at once")] = 4,
    follow: Follow = False,
    as_json: AsJson = False,
) -> None:
    """Send an archive for its checks. After an interruption, the same command resumes."""
    area, signed = client_of(context).registry, signature_of(file, signature, key)
    with byte_progress("reading", file.stat().st_size, quiet=as_json) as done:
        archive = ArchiveFile.read(file, done)
    created = area.submit(
        task,
        model or file.stem,
        file.name,
        archive.size,
        digest=archive.digest,
        webhook=webhook,
        signature=signed,
    )
    submission = created.submission
    if created.known and submission.state != "draft" and not as_json:
        output.note(f"These bytes were submitted before, as {submission.model} v{submission.version}.")
    if created.webhook_secret is not None:
        output.note(
            f"Calls of the webhook are signed with {created.webhook_secret}, which is shown only now."
        )
    if submission.state == "draft":
        submission = _send(area, archive, submission, parts, quiet=as_json)
    if follow:
        _follow(area, submission, as_json)
        return
    Output(as_json).record(submission.document(), _lines(submission))
    if not as_json:
        output.note(f"dynabench models follow {submission.submission_id} shows its checks.")


def _send(
    area: SubmissionsClient, archive: ArchiveFile, submission: WholeSubmission, parts: int, *, quiet: bool
) -> WholeSubmission:
    try:
        with byte_progress("sending", archive.size, quiet=quiet) as done:
            return ArchiveUpload(area, archive, parts_at_once=parts).send(submission, done)
    except FileChangedError as err:
        raise InputError(f"{err}.", "Submit it again once nothing writes to it.") from err
    except PartRefusedError as err:
        raise InputError(f"{err}.", "Run the same command again; it sends only what is missing.") from err


@app.command("follow")
def follow_checks(context: typer.Context, submission_id: Id, as_json: AsJson = False) -> None:
    """Show each step of a submission until its checks end."""
    area = client_of(context).registry
    _follow(area, area.submission(submission_id), as_json)


def _follow(area: SubmissionsClient, submission: WholeSubmission, as_json: bool) -> None:
    """Write a line for each change of a step, with its lines of the log, until the checks end."""
    seen: dict[str, tuple[str, int]] = {}
    after = 0
    try:
        for current in _states(area, submission, time.sleep):
            log = area.submission_log(current.submission_id, after=after)
            after = log.next_after
            if not as_json:
                for line in log.lines:
                    output.note(f"    {line.line}")
            for step in current.steps:
                state = (step.state, step.attempt)
                if seen.get(step.step) != state and step.state != "waiting" and not as_json:
                    _tell(step)
                seen[step.step] = state
            submission = current
    except KeyboardInterrupt:
        output.note(
            f"The checks continue. dynabench models follow {submission.submission_id} shows it again."
        )
        raise
    _end(submission, as_json)


def _states(
    area: SubmissionsClient, submission: WholeSubmission, sleep: Callable[[float], None]
) -> Iterator[WholeSubmission]:
    """Poll a submission, and yield its states until it is final."""
    yield submission
    while submission.is_moving:
        sleep(LOOK_SECONDS)
        submission = area.submission(submission.submission_id)
        yield submission


def _tell(step: SubmissionStep) -> None:
    took = _seconds(step.started_at, step.ended_at) if step.ended_at else ""
    typer.echo(f"{MARKS.get(step.state, '?')} {step.step.replace('_', ' ')}\t{took}")
    for sample in step.samples:
        instance, answer = (
            json.dumps(sample.get(name), ensure_ascii=False) for name in ("instance", "answer")
        )
        typer.echo(f"    {instance}\t→ {answer}")


def _seconds(start: datetime | None, end: datetime) -> str:
    return "" if start is None else f"{(end - start).total_seconds():.1f} s"


def _end(submission: WholeSubmission, as_json: bool) -> None:
    failed = submission.failed_step
    if as_json:
        typer.echo(json.dumps(submission.document(), ensure_ascii=False))
    elif submission.state == "waiting":
        output.note("It holds code. An owner of the task has to approve it.")
    elif failed is None:
        output.note(f"{submission.serving_name or submission.model} is {submission.state}.")
    if failed is not None and submission.state == "refused":
        fault = FAULTS.get(failed.fault or "", failed.fault)
        output.error(f"{failed.step} failed ({fault}): {failed.reason}", failed.remedy)
        raise typer.Exit(OURS if failed.fault == "ours" else YOURS)


@app.command("submissions")
def list_submissions(
    context: typer.Context,
    task: Annotated[str | None, typer.Option(help="Only those to this task")] = None,
    state: Annotated[str | None, typer.Option(help="Only those in this state")] = None,
    everyone: Annotated[
        bool, typer.Option("--all", help="Everyone's submissions, to a task that you own")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List submissions, the newest first."""
    if everyone and task is None:
        raise InputError("--all needs a task.", "Give --task as well.")
    found = client_of(context).registry.submissions(task=task, state=state, mine=not everyone, limit=200)
    Output(as_json).rows(
        found.items, COLUMNS, "Nothing was submitted: dynabench models submit FILE --task TASK."
    )
    if found.quota is not None and not as_json:
        output.note(f"You used {found.quota.used} of {found.quota.of} submissions in 24 hours.")


@app.command("submission")
def show_submission(context: typer.Context, submission_id: Id, as_json: AsJson = False) -> None:
    """Show a submission with its steps."""
    _show(client_of(context).registry.submission(submission_id), as_json)


@app.command()
def card(
    context: typer.Context,
    submission_id: Id,
    file: Annotated[
        Path,
        typer.Argument(
            help="Markdown; licence, contact, languages, parameters, trained_on and paper in its front matter; or "
            "license, language and datasets, as on the Hub",
            exists=True,
            dir_okay=False,
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Write a model's card from a file."""
    fields, text = front_matter(file)
    written = client_of(context).registry.write_card(
        submission_id,
        text=text,
        licence=str(fields.get("licence", "")),
        contact=str(fields.get("contact", "")),
        languages=listed(fields, "languages"),
        parameters=whole_number(fields, "parameters"),
        trained_on=listed(fields, "trained_on"),
        paper=str(fields["paper"]) if fields.get("paper") else None,
    )
    _show(written, as_json)
    if written.card.missing and not as_json:
        output.note(f"Still missing: {', '.join(written.card.missing)}.")


@app.command()
def publish(
    context: typer.Context,
    submission_id: Id,
    anonymous: Annotated[bool, typer.Option("--anonymous", help="Leave your name out")] = False,
    as_json: AsJson = False,
) -> None:
    """Publish a deployed model."""
    _show(client_of(context).registry.publish_model(submission_id, anonymous=anonymous), as_json)


@app.command()
def delete(
    context: typer.Context,
    submission_id: Id,
    reason: Annotated[
        str, typer.Option(help="Reason, shown on the tombstone. Required for another person's model")
    ] = "",
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete a submission for good: your own, or one to your task. A tombstone and its scores stay."""
    area = client_of(context).registry
    if should_ask(yes, as_json):
        found = area.submission(submission_id)
        confirm(f"Delete {found.model} v{found.version}?", DELETION, ())
    _show(area.delete_submission(submission_id, reason), as_json)


def _show(submission: WholeSubmission, as_json: bool) -> None:
    Output(as_json).record(submission.document(), _lines(submission))


def _lines(submission: WholeSubmission) -> dict[str, object]:
    failed = submission.failed_step
    why: dict[str, object] = {}
    if failed is not None:
        why = {"failed": f"{failed.step}: {failed.reason}", "remedy": failed.remedy}
    left = submission.tombstone
    if left is not None:
        by = "its submitter" if left.deleted_as == "submitter" else "an owner of its task"
        gone = "gone" if left.removed_at else "being removed"
        why = {"deleted": f"{left.deleted_at:%Y-%m-%d %H:%M} by {by}", "reason": left.reason, "bytes": gone}
    return {
        "submission": submission.submission_id,
        "model": f"{submission.model} v{submission.version}",
        "task": submission.task,
        "state": submission.state,
        "served as": submission.serving_name,
        "signed by": submission.signed_by,
        "steps": [f"{MARKS.get(step.state, '?')} {step.step}" for step in submission.steps],
        **why,
    }
