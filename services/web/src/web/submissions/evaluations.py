"""Evaluations of models: the page of one with its actions, and those of a submission."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from dynabench_client.results.annotation import Task
from dynabench_client.results.base import LARGEST_PAGE, Page
from dynabench_client.results.models import Evaluation, Submission
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, make_response, render_template, request

from web.kit.dependencies import platform
from web.kit.form import text
from web.kit.outcomes import Outcome, attempt
from web.kit.parallel import Part, page_reads
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, is_htmx, page
from web.kit.security import HOME, safe_return
from web.submissions.scores import (
    OPEN,
    EvaluationView,
    evaluation_view,
    log_views,
    newest_of_each,
    primary_of,
)

blueprint = Blueprint("evaluations", __name__)
LOOK_SECONDS = 3


@blueprint.get("/evaluations/<uuid:evaluation_id>")
@requires(Permission.READ_DATASET)
def get_evaluation(evaluation_id: UUID) -> Response:
    """Show an evaluation: progress, log and results."""
    return _page(evaluation_id)


@blueprint.get("/evaluations/<uuid:evaluation_id>/state")
@requires(Permission.READ_DATASET)
def get_state(evaluation_id: UUID) -> Response:
    """Send the progress to the waiting page; the whole page once the evaluation has ended."""
    found = platform().evaluations.evaluation(str(evaluation_id))
    if found.state not in OPEN and is_htmx():
        return make_response("", 200, {"HX-Refresh": "true"})
    return kept(render_template("submissions/evaluation_state.html", **_views(evaluation_id)))


@blueprint.post("/evaluations/<uuid:evaluation_id>/runs")
@requires(Permission.SUBMIT_MODEL)
def post_run(evaluation_id: UUID) -> Response:
    """Run the evaluation again."""
    area = platform().evaluations
    return _done(evaluation_id, attempt(lambda: area.run_again(str(evaluation_id))), "evaluation-runs-again")


@blueprint.post("/evaluations/<uuid:evaluation_id>/cancellation")
@requires(Permission.SUBMIT_MODEL)
def post_cancellation(evaluation_id: UUID) -> Response:
    """Cancel the evaluation."""
    area = platform().evaluations
    return _done(evaluation_id, attempt(lambda: area.cancel(str(evaluation_id))), "evaluation-cancelled")


@blueprint.get("/submissions/<uuid:submission_id>/evaluations")
@requires(Permission.SUBMIT_MODEL)
def get_of_submission(submission_id: UUID) -> Response:
    """Send the evaluations of a submission to its open page."""
    found = platform().registry.submission(str(submission_id))
    views = evaluations_of(found).views() if found.serving_name else []
    return kept(
        render_template(
            "submissions/evaluations.html", evaluations=views, back=f"/submissions/{submission_id}"
        )
    )


@dataclass(frozen=True)
class EvaluationReads:
    """The pending read of a submitted model's evaluations."""

    listed: Part[Page[Evaluation]]
    task: Part[Task]

    def views(self) -> Sequence[EvaluationView] | None:
        """Return the newest evaluation of each dataset; None if they can't be read."""
        found, primary = self.listed.value(), primary_of(self.task.value())
        if found is None:
            return None
        return [evaluation_view(each, primary) for each in newest_of_each(found.items)]


def evaluations_of(found: Submission) -> EvaluationReads:
    """Start reading the evaluations of a submission with a serving name."""
    client, reads = platform(), page_reads()
    return EvaluationReads(
        reads.read(client.evaluations.evaluations, model=found.serving_name, limit=LARGEST_PAGE),
        reads.read(client.annotation.task, found.task),
    )


def kept(content: str) -> Response:
    """Return a part of a page; 304 if it is unchanged."""
    response = make_response(content)
    response.set_etag(hashlib.sha256(response.get_data()).hexdigest()[:32])
    response.make_conditional(request)
    return response


def _done(evaluation_id: UUID, outcome: Outcome[Evaluation], notice: str) -> Response:
    if outcome.problem is not None:
        return _page(evaluation_id, outcome.problem)
    back = safe_return(text("back"))
    return go_to(f"/evaluations/{evaluation_id}" if back == HOME else back, notice)


def _page(evaluation_id: UUID, problem: ProblemView | None = None) -> Response:
    return page(
        "submissions/evaluation.html",
        problem.status if problem else 200,
        **_views(evaluation_id),
        problem=problem,
    )


def _views(evaluation_id: UUID) -> dict[str, object]:
    client, reads = platform(), page_reads()
    log = reads.read(client.evaluations.evaluation_log, str(evaluation_id))
    found = reads.read(client.evaluations.evaluation, str(evaluation_id)).needed()
    task = reads.read(client.annotation.task, found.task_slug)
    return {
        "evaluation": evaluation_view(found, primary_of(task.value())),
        "log": log_views(log.value() or ()),
        "look_seconds": LOOK_SECONDS,
    }
