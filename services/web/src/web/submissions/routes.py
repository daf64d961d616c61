"""A submission: its page with the checks as they go, and what its submitter and the task's owners do with it."""

import hashlib
from datetime import UTC, datetime
from uuid import UUID

from dynabench_client.results.submissions import WholeSubmission
from dynabench_common.permissions import Permission, requires
from flask import Blueprint, Response, make_response, render_template, request

from web.kit.dependencies import platform
from web.kit.form import text
from web.kit.language import _
from web.kit.outcomes import Outcome, attempt, optional
from web.kit.problems import ProblemView
from web.kit.questions import refusal
from web.kit.rendering import go_to, is_htmx, page
from web.submissions.submission_view import log_lines, submission_view

blueprint = Blueprint("submissions", __name__)
LOOK_SECONDS = 2
LINES_SHOWN = 200


@blueprint.get("/submissions/<uuid:submission_id>")
@requires(Permission.SUBMIT_MODEL)
def get_submission(submission_id: UUID) -> Response:
    """Show a submission."""
    return _page(platform().registry.submission(str(submission_id)))


@blueprint.get("/submissions/<uuid:submission_id>/steps")
@requires(Permission.SUBMIT_MODEL)
def get_steps(submission_id: UUID) -> Response:
    """Send the checks alone, for the page that shows them; the whole page once they have ended."""
    found = platform().registry.submission(str(submission_id))
    if found.state != "checking" and is_htmx():
        return make_response("", 200, {"HX-Refresh": "true"})
    response = make_response(render_template("submissions/steps.html", **_views(found)))
    response.set_etag(hashlib.sha256(response.get_data()).hexdigest()[:32])
    response.make_conditional(request)
    return response


@blueprint.get("/submissions/<uuid:submission_id>/entry")
@requires(Permission.SUBMIT_MODEL)
def get_entry(submission_id: UUID) -> Response:
    """Show the text of a file of the archive."""
    path = request.args.get("path", "")[:500]
    registry = platform().registry
    found = registry.submission(str(submission_id))
    entry = registry.entry_text(str(submission_id), path)
    return page(
        "submissions/entry.html",
        submission=submission_view(found, datetime.now(UTC)),
        path=path,
        text=entry.text,
    )


@blueprint.post("/submissions/<uuid:submission_id>/cancellation")
@requires(Permission.SUBMIT_MODEL)
def post_cancellation(submission_id: UUID) -> Response:
    """Cancel it before it is deployed."""
    registry = platform().registry
    return _done(submission_id, attempt(lambda: registry.cancel_submission(str(submission_id))), "cancelled")


@blueprint.post("/submissions/<uuid:submission_id>/runs")
@requires(Permission.SUBMIT_MODEL)
def post_run(submission_id: UUID) -> Response:
    """Run a check and the later ones again."""
    step, registry = text("step"), platform().registry
    return _done(
        submission_id, attempt(lambda: registry.run_step_again(str(submission_id), step)), "runs-again"
    )


@blueprint.post("/submissions/<uuid:submission_id>/decision")
@requires(Permission.DECIDE_ON_MODELS)
def post_decision(submission_id: UUID) -> Response:
    """Let an archive with code run, or decline it."""
    approve, registry = text("approve") == "yes", platform().registry
    outcome = attempt(
        lambda: registry.decide_on_submission(str(submission_id), approve=approve, reason=text("reason"))
    )
    return _done(submission_id, outcome, "decided-model")


@blueprint.post("/submissions/<uuid:submission_id>/card")
@requires(Permission.SUBMIT_MODEL)
def post_card(submission_id: UUID) -> Response:
    """Write the model card."""
    parameters = text("parameters")
    if parameters and not (parameters.isascii() and parameters.isdigit() and len(parameters) < 16):
        remedy = _("Write it in digits, such as 22713216, or leave it out.")
        problem = refusal("parameters", _("The number of parameters is no whole number."), remedy)
        return _done(submission_id, Outcome(problem=problem), "")
    registry = platform().registry
    outcome = attempt(
        lambda: registry.write_card(
            str(submission_id),
            text=request.form.get("text", "").replace("\r\n", "\n"),
            licence=text("licence"),
            contact=text("contact"),
            languages=_listed("languages"),
            parameters=int(parameters) if parameters else None,
            trained_on=_listed("trained_on"),
            paper=text("paper") or None,
        )
    )
    return _done(submission_id, outcome, "card-saved")


@blueprint.post("/submissions/<uuid:submission_id>/publication")
@requires(Permission.SUBMIT_MODEL)
def post_publication(submission_id: UUID) -> Response:
    """Publish it, under one's name or without it."""
    anonymous, registry = text("anonymous") == "1", platform().registry
    outcome = attempt(lambda: registry.publish_model(str(submission_id), anonymous=anonymous))
    return _done(submission_id, outcome, "published")


@blueprint.post("/submissions/<uuid:submission_id>/withdrawal")
@requires(Permission.SUBMIT_MODEL)
def post_withdrawal(submission_id: UUID) -> Response:
    """Take it back."""
    registry = platform().registry
    outcome = attempt(lambda: registry.withdraw_model(str(submission_id), text("reason")))
    return _done(submission_id, outcome, "withdrawn")


@blueprint.post("/submissions/<uuid:submission_id>/retirement")
@requires(Permission.DECIDE_ON_MODELS)
def post_retirement(submission_id: UUID) -> Response:
    """Take somebody's model away from a task that one owns."""
    registry = platform().registry
    outcome = attempt(lambda: registry.retire_model(str(submission_id), text("reason")))
    return _done(submission_id, outcome, "retired-model")


def _listed(name: str) -> list[str]:
    return [part.strip() for part in text(name).split(",") if part.strip()]


def _done(submission_id: UUID, outcome: Outcome[WholeSubmission], notice: str) -> Response:
    """Go back to the page, or show it with what stood in the way."""
    if outcome.problem is None:
        return go_to(f"/submissions/{submission_id}", notice)
    return _page(platform().registry.submission(str(submission_id)), outcome.problem)


def _page(found: WholeSubmission, problem: ProblemView | None = None) -> Response:
    status = problem.status if problem else 200
    given = request.form if problem else None
    return page("submissions/submission.html", status, **_views(found), problem=problem, given=given)


def _views(found: WholeSubmission) -> dict[str, object]:
    registry = platform().registry
    log = optional(lambda: registry.submission_log(found.submission_id))
    return {
        "submission": submission_view(found, datetime.now(UTC).replace(microsecond=0)),
        "log": log_lines(log.lines)[-LINES_SHOWN:] if log else [],
        "look_seconds": LOOK_SECONDS,
    }
