"""Sending an archive from a page: the form, and what its script asks while the bytes go straight to the store."""

from urllib.parse import urlsplit
from uuid import UUID

from dynabench_client.pages import LARGEST_PAGE
from dynabench_client.results.submissions import WholeSubmission
from dynabench_common.http import json_response
from dynabench_common.page_headers import POLICY
from dynabench_common.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit.dependencies import dependencies, platform
from web.kit.form import text
from web.kit.outcomes import Outcome, attempt
from web.kit.parallel import page_reads
from web.kit.problems import ProblemView
from web.kit.rendering import page

blueprint = Blueprint("sending", __name__)
OWN_CONNECTIONS = "connect-src 'self'"


@blueprint.get("/models/submit")
@requires(Permission.SUBMIT_MODEL)
def get_submit() -> Response:
    """Show how an archive is made, and the form that sends one."""
    client, reads = platform(), page_reads()
    task = request.args.get("task") or None
    tasks = reads.read(client.annotation.tasks, limit=LARGEST_PAGE)
    listed = None if task is None else reads.read(client.registry.submissions, task=task, limit=1)
    found = tasks.needed()
    counted = None if listed is None else listed.value()
    response = page(
        "submissions/submit.html",
        titles={each.slug: each.title or each.slug for each in found.items},
        task=task or "",
        quota=counted.quota if counted else None,
    )
    response.headers["Content-Security-Policy"] = _policy()
    return response


@blueprint.post("/models/submit")
@requires(Permission.SUBMIT_MODEL)
def post_submit() -> Response:
    """Begin a submission for the script, or take one up again; tell it which parts are there."""
    registry = platform().registry
    size = text("size")
    outcome = attempt(
        lambda: registry.submit(
            text("task"),
            text("model"),
            text("file_name"),
            int(size) if size.isascii() and size.isdigit() else 0,
            digest=text("digest") or None,
        )
    )
    if outcome.value is None:
        return _refused(outcome.problem)
    submission = outcome.value.submission
    held = attempt(lambda: registry.upload_state(submission.submission_id).held)
    if held.value is None:
        return _refused(held.problem)
    return json_response(
        {
            "address": f"/submissions/{submission.submission_id}",
            "is_draft": submission.state == "draft",
            "part_bytes": submission.upload.part_bytes,
            "parts": submission.upload.parts,
            "held": [{"number": part.number, "size": part.size} for part in held.value],
        }
    )


@blueprint.post("/submissions/<uuid:submission_id>/parts")
@requires(Permission.SUBMIT_MODEL)
def post_parts(submission_id: UUID) -> Response:
    """Tell the script where parts may be sent."""
    registry = platform().registry
    numbers = [int(number) for number in text("numbers").split(",") if number.isascii() and number.isdigit()]
    outcome = attempt(lambda: registry.sign_parts(str(submission_id), numbers))
    if outcome.value is None:
        return _refused(outcome.problem)
    return json_response(
        {"parts": [{"number": part.number, "url": part.url} for part in outcome.value.parts]}
    )


@blueprint.post("/submissions/<uuid:submission_id>/completion")
@requires(Permission.SUBMIT_MODEL)
def post_completion(submission_id: UUID) -> Response:
    """Complete the upload for the script."""
    registry = platform().registry
    outcome: Outcome[WholeSubmission] = attempt(lambda: registry.complete_upload(str(submission_id)))
    if outcome.value is None:
        return _refused(outcome.problem)
    return json_response({"address": f"/submissions/{submission_id}"})


def _refused(problem: ProblemView | None) -> Response:
    status = problem.status if problem else 500
    said = [problem.detail, problem.remedy] if problem else []
    return json_response({"problem": " ".join(part for part in said if part)}, status)


def _policy() -> str:
    """Return the policy of the page that sends: its script also speaks to the object store."""
    address = urlsplit(dependencies().settings.s3_public_endpoint_url or "")
    if not address.scheme:
        return POLICY
    return POLICY.replace(OWN_CONNECTIONS, f"{OWN_CONNECTIONS} {address.scheme}://{address.netloc}")
