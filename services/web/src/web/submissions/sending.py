"""Upload of an archive from a page: the form, and its script's requests. The bytes go directly to the object store.

The script requests JSON. A form without that was sent by a browser without scripts, which can't send parts.
"""

from urllib.parse import urlsplit
from uuid import UUID

from dynabench_client.results.base import LARGEST_PAGE
from dynabench_client.results.models import WholeSubmission
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.page_headers import POLICY
from dynabench_common.http.service import json_response
from flask import Blueprint, Response, request

from web.kit.dependencies import dependencies, platform
from web.kit.form import text, whole_number
from web.kit.language import _
from web.kit.numbers import moment
from web.kit.outcomes import Outcome, attempt
from web.kit.parallel import page_reads
from web.kit.problems import ProblemView
from web.kit.rendering import page

blueprint = Blueprint("sending", __name__)
OWN_CONNECTIONS = "connect-src 'self'"
JSON = "application/json"
MOST_DIGITS = 15
LONGEST_NAME = 50
SIGNATURE = {"bundle": "signature", "public_key": "public_key"}
FIELDS = {
    **{"task": "task", "model": "model", "size": "file", "file_name": "file", "digest": "file"},
    **{"signature": "signature", "signature.bundle": "signature", "signature.public_key": "public_key"},
}
"""Fields of the registry's request by field of the form."""


@blueprint.get("/models/submit")
@requires(Permission.SUBMIT_MODEL)
def get_submit() -> Response:
    """Show instructions for archives, and the upload form."""
    return _form(request.args.get("task") or None)


@blueprint.post("/models/submit")
@requires(Permission.SUBMIT_MODEL)
def post_submit() -> Response:
    """Begin or resume a submission for the script; return the stored parts."""
    if request.headers.get("Accept") != JSON:
        return _form(text("task") or None, _scriptless())
    registry = platform().registry
    outcome = attempt(
        lambda: registry.submit(
            text("task"),
            text("model"),
            text("file_name"),
            _whole(text("size")),
            digest=text("digest") or None,
            signature=_signature(),
        )
    )
    if outcome.value is None:
        return _refused(outcome.problem)
    submission = outcome.value.submission
    address, is_draft = f"/submissions/{submission.submission_id}", submission.state == "draft"
    if not is_draft:
        return json_response({"address": f"{address}?notice=known-archive", "is_draft": False})
    stored = attempt(lambda: registry.upload_state(submission.submission_id).held)
    if stored.value is None:
        return _refused(stored.problem)
    return json_response(
        {
            "address": address,
            "is_draft": True,
            "part_bytes": submission.upload.part_bytes,
            "parts": submission.upload.parts,
            "held": [{"number": part.number, "size": part.size} for part in stored.value],
        }
    )


@blueprint.post("/submissions/<uuid:submission_id>/parts")
@requires(Permission.SUBMIT_MODEL)
def post_parts(submission_id: UUID) -> Response:
    """Return the URLs for parts to the script."""
    registry = platform().registry
    numbers = [_whole(number) for number in text("numbers").split(",")]
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


def _form(task: str | None, problem: ProblemView | None = None) -> Response:
    client, reads = platform(), page_reads()
    tasks = reads.read(client.annotation.tasks, limit=LARGEST_PAGE)
    listed = None if task is None else reads.read(client.registry.submissions, task=task, limit=1)
    titles = {each.slug: each.title or each.slug for each in tasks.needed().items}
    counted = None if listed is None else listed.value()
    quota = counted.quota if counted else None
    response = page(
        "submissions/submit.html",
        problem.status if problem else 200,
        titles=titles,
        task=task or "",
        model=text("model") if problem else request.args.get("model", "")[:LONGEST_NAME],
        quota=quota,
        next_free=moment(quota.next_free_at) if quota else None,
        problem=problem,
    )
    response.headers["Content-Security-Policy"] = _policy()
    return response


def _signature() -> dict[str, str] | None:
    """Return the signature in the form, unchecked; None if both texts are missing."""
    texts = {name: request.form.get(sent, "") for name, sent in SIGNATURE.items()}
    return texts if any(texts.values()) else None


def _scriptless() -> ProblemView:
    return ProblemView(
        422,
        _("Nothing was sent"),
        _("Without scripts, a browser can't upload an archive in parts."),
        _("Allow scripts and reload the page, or use the command line as shown below."),
        slug="scripts-needed",
    )


def _refused(problem: ProblemView | None) -> Response:
    """Return the problem for the script, with its field of the form."""
    if problem is None:
        return json_response({"problem": "", "field": "", "slug": ""}, 500)
    parts = (problem.detail, problem.remedy, problem.wait if problem.is_temporary else "")
    sentence = " ".join(part for part in parts if part)
    return json_response(
        {"problem": sentence, "field": FIELDS.get(problem.field, ""), "slug": problem.slug}, problem.status
    )


def _whole(written: str) -> int:
    """Return a number sent by the script; for anything else 0, which the registry refuses."""
    return whole_number(written, MOST_DIGITS) or 0


def _policy() -> str:
    """Return the Content-Security-Policy of the upload page, which also permits the object store."""
    address = urlsplit(dependencies().settings.s3_public_endpoint_url or "")
    if not address.scheme:
        return POLICY
    return POLICY.replace(OWN_CONNECTIONS, f"{OWN_CONNECTIONS} {address.scheme}://{address.netloc}")
