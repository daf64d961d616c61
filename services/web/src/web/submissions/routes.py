"""A submission: its page with the progress of the checks, and the actions of submitter and owners."""

import hashlib
import re
from collections.abc import Sequence
from functools import partial
from uuid import UUID

from dynabench_client.results.models import LogLine, WholeSubmission
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, make_response, render_template, request

from web.kit.dependencies import dependencies, platform
from web.kit.form import text, whole_number
from web.kit.language import _
from web.kit.outcomes import Outcome, attempt, optional
from web.kit.parallel import page_reads
from web.kit.problems import ProblemView
from web.kit.questions import refusal
from web.kit.rendering import go_to, is_htmx, page
from web.submissions.evaluations import LOOK_SECONDS as SCORES_LOOK_SECONDS
from web.submissions.evaluations import EvaluationReads, evaluations_of
from web.submissions.submission_view import log_lines, shown_fields, submission_view
from web.submissions.talking import TalkReads, ask_about
from web.submissions.words import CARD_FIELDS

blueprint = Blueprint("submissions", __name__)
LOOK_SECONDS = 2
LINES_SHOWN = 200
LINES_AT_ONCE = 500
"""Maximum of log lines in one answer of the registry; a longer log needs further requests."""
MOST_LOOKS = 3
MOST_DIGITS = 15
SERVED = frozenset({"deployed", "published"})


@blueprint.get("/submissions/<uuid:submission_id>")
@requires(Permission.SUBMIT_MODEL)
def get_submission(submission_id: UUID) -> Response:
    """Show a submission."""
    return _page(submission_id)


@blueprint.get("/submissions/<uuid:submission_id>/steps")
@requires(Permission.SUBMIT_MODEL)
def get_steps(submission_id: UUID) -> Response:
    """Send only the checks to the waiting page; the whole page once they have ended."""
    found, lines = _read(submission_id)
    if found.state != "checking" and is_htmx():
        return make_response("", 200, {"HX-Refresh": "true"})
    response = make_response(render_template("submissions/steps.html", **_views(found, lines)))
    response.set_etag(hashlib.sha256(response.get_data()).hexdigest()[:32])
    response.make_conditional(request)
    return response


@blueprint.get("/submissions/<uuid:submission_id>/entry")
@requires(Permission.SUBMIT_MODEL)
def get_entry(submission_id: UUID) -> Response:
    """Show the text of a file of the archive."""
    path = request.args.get("path", "")[:500]
    registry, reads = platform().registry, page_reads()
    found = reads.read(registry.submission, str(submission_id))
    entry = reads.read(registry.entry_text, str(submission_id), path)
    return page(
        "submissions/entry.html",
        submission=submission_view(found.needed(), dependencies().clock.now()),
        path=path,
        text=entry.needed().text,
    )


@blueprint.post("/submissions/<uuid:submission_id>/cancellation")
@requires(Permission.SUBMIT_MODEL)
def post_cancellation(submission_id: UUID) -> Response:
    """Cancel the submission before it is deployed."""
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
    """Allow an archive with code to run, or decline it."""
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
    number = whole_number(parameters, MOST_DIGITS)
    if parameters and number is None:
        remedy = _("Write it in digits, such as 22713216, or leave it out.")
        problem = refusal("parameters", _("The number of parameters is not a whole number."), remedy)
        return _done(submission_id, Outcome(problem=problem), "")
    registry = platform().registry
    outcome = attempt(
        lambda: registry.write_card(
            str(submission_id),
            text=request.form.get("text", "").replace("\r\n", "\n"),
            licence=text("licence"),
            contact=text("contact"),
            languages=_listed("languages"),
            parameters=number,
            trained_on=_listed("trained_on"),
            paper=text("paper") or None,
        )
    )
    return _done(submission_id, outcome, "card-saved")


@blueprint.post("/submissions/<uuid:submission_id>/publication")
@requires(Permission.SUBMIT_MODEL)
def post_publication(submission_id: UUID) -> Response:
    """Publish the model, with the submitter's name or anonymously."""
    anonymous, registry = text("anonymous") == "1", platform().registry
    outcome = attempt(lambda: registry.publish_model(str(submission_id), anonymous=anonymous))
    return _done(submission_id, outcome, "published")


@blueprint.post("/submissions/<uuid:submission_id>/withdrawal")
@requires(Permission.SUBMIT_MODEL)
def post_withdrawal(submission_id: UUID) -> Response:
    """Withdraw the model."""
    registry = platform().registry
    outcome = attempt(lambda: registry.withdraw_model(str(submission_id), text("reason")))
    return _done(submission_id, outcome, "withdrawn")


@blueprint.post("/submissions/<uuid:submission_id>/retirement")
@requires(Permission.DECIDE_ON_MODELS)
def post_retirement(submission_id: UUID) -> Response:
    """Retire a model from a task that the person owns."""
    registry = platform().registry
    outcome = attempt(lambda: registry.retire_model(str(submission_id), text("reason")))
    return _done(submission_id, outcome, "retired-model")


@blueprint.post("/submissions/<uuid:submission_id>/deletion")
@requires(Permission.SUBMIT_MODEL)
def post_deletion(submission_id: UUID) -> Response:
    """Delete the submission permanently."""
    registry = platform().registry
    outcome = attempt(lambda: registry.delete_submission(str(submission_id), text("reason")))
    return _done(submission_id, outcome, "deleted-model")


def _listed(name: str) -> list[str]:
    return [part.strip() for part in text(name).split(",") if part.strip()]


def _done(submission_id: UUID, outcome: Outcome[WholeSubmission], notice: str) -> Response:
    """Redirect to the page, or show it with the refusal."""
    if outcome.problem is None:
        return go_to(f"/submissions/{submission_id}", notice)
    return _page(submission_id, outcome.problem)


def _page(submission_id: UUID, problem: ProblemView | None = None) -> Response:
    """Return the page; a problem is shown at its field if the sent form has that field."""
    talk, scores = _ask_about(submission_id)
    found, lines = _read(submission_id)
    sent = request.path.rpartition("/")[2] if problem else ""
    return page(
        "submissions/submission.html",
        problem.status if problem else 200,
        **_views(found, lines),
        talk=talk.view() if talk else None,
        has_evaluations=scores is not None,
        scores_look_seconds=SCORES_LOOK_SECONDS if found.state in SERVED else None,
        evaluations=scores.views() if scores else None,
        back=f"/submissions/{submission_id}",
        problem=problem,
        sent=sent,
        at_fault=_at_fault(sent, problem, found),
        given=request.form,
    )


def _at_fault(sent: str, problem: ProblemView | None, found: WholeSubmission) -> str:
    """Return the form and field of a problem, such as `card.licence`; empty if the page shows neither."""
    if problem is None:
        return ""
    name = re.split(r"[.\[]", problem.field.removeprefix("card."))[0]
    form = "card" if sent == "publication" and name in CARD_FIELDS else sent
    return f"{form}.{name}" if name in shown_fields(found).get(form, ()) else ""


def _ask_about(submission_id: UUID) -> tuple[TalkReads | None, EvaluationReads | None]:
    """Start reading the ways to query a submission's model, and its scores.

    Both need a serving name. The ways to query are read only if the model answers.
    """
    registry, reads = platform().registry, page_reads()
    reads.read(registry.submission_log, str(submission_id))
    found = reads.read(registry.submission, str(submission_id)).needed()
    if not found.serving_name:
        return None, None
    scores = evaluations_of(found)
    if found.state not in SERVED:
        return None, scores
    return ask_about(found.serving_name, found.task, is_published=found.state == "published"), scores


def _read(submission_id: UUID) -> tuple[WholeSubmission, Sequence[LogLine]]:
    """Return a submission and its log lines, read concurrently; no lines if they can't be read."""
    registry, reads = platform().registry, page_reads()
    found = reads.read(registry.submission, str(submission_id))
    log = reads.read(registry.submission_log, str(submission_id)).value()
    lines = list(log.lines) if log else []
    for _look in range(1, MOST_LOOKS):
        if log is None or len(log.lines) < LINES_AT_ONCE:
            break
        log = optional(partial(registry.submission_log, str(submission_id), after=log.next_after))
        lines += log.lines if log else []
    return found.needed(), lines


def _views(found: WholeSubmission, lines: Sequence[LogLine]) -> dict[str, object]:
    return {
        "submission": submission_view(found, dependencies().clock.now().replace(microsecond=0)),
        "log": log_lines(lines[-LINES_SHOWN:]),
        "look_seconds": LOOK_SECONDS,
    }
