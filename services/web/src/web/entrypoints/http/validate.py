"""The page on which a person validates examples of others: a blind answer first, then the author's label."""

from uuid import UUID, uuid4

from dynabench_client.results.annotation import Round
from dynabench_common.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.entrypoints.http import form
from web.entrypoints.http.dependencies import platform
from web.entrypoints.http.outcomes import attempt, optional
from web.entrypoints.http.rendering import go_to, page
from web.presenters.configuration import TaskRules, task_rules
from web.presenters.problems import ProblemView
from web.presenters.rounds import round_view
from web.presenters.validation import queue_view, reveal_view, work_line, work_view

OPTION = "option:"

blueprint = Blueprint("validate", __name__)


@blueprint.get("/rounds/<uuid:round_id>/validate")
@requires(Permission.VALIDATE)
def get_validate(round_id: UUID) -> Response:
    """Show the next example, or why there is none."""
    return _next(platform().annotation.round(str(round_id)))


@blueprint.post("/rounds/<uuid:round_id>/validate")
@requires(Permission.VALIDATE)
def post_vote(round_id: UUID) -> Response:
    """Store an answer and reveal the author's; a resent form gets the same answer again."""
    given, speaking = request.form, platform()
    kind, label = _ballot(given.get("choice", ""), given.get("kind", "label"))
    reason = form.text("reason") if kind == "flag" else None
    found = speaking.annotation.round(str(round_id))
    outcome = attempt(
        lambda: speaking.validation.vote(
            given.get("lease_id", ""),
            kind,
            label=label,
            reason=reason,
            idempotency_key=form.key(),
        )
    )
    if outcome.value is None:
        return _next(found, outcome.problem)
    advance = given.get("advance") == "1"
    rules = task_rules(speaking.annotation.task(found.task_slug))
    reveal = reveal_view(outcome.value, rules, kind, label)
    if advance or reveal.claimed is None or kind == "judgement":
        return go_to(f"/rounds/{round_id}/validate", "voted", **({"advance": "1"} if advance else {}))
    return _page(found, rules, reveal=reveal, texts=given.getlist("shown"))


@blueprint.post("/rounds/<uuid:round_id>/validate/judgement")
@requires(Permission.VALIDATE)
def post_judgement(round_id: UUID) -> Response:
    """Store whether the person agrees with the author, and go on."""
    agrees = request.form.get("agrees") == "yes"
    platform().validation.judge(request.form.get("vote_id", ""), agrees)
    return go_to(f"/rounds/{round_id}/validate", "judged")


@blueprint.post("/rounds/<uuid:round_id>/validate/skip")
@requires(Permission.VALIDATE)
def post_skip(round_id: UUID) -> Response:
    """Give the example back without an answer, and go on."""
    advance = {"advance": "1"} if request.form.get("advance") == "1" else {}
    lease_id = request.form.get("lease_id", "")
    optional(lambda: platform().validation.skip(lease_id))
    return go_to(f"/rounds/{round_id}/validate", "skipped", **advance)


def _ballot(choice: str, kind: str) -> tuple[str, str | None]:
    """Return the kind of an answer and its label, from the button that was pressed."""
    if choice in {"flag", "unsure"}:
        return choice, None
    return kind, choice.removeprefix(OPTION)


def _next(found: Round, problem: ProblemView | None = None) -> Response:
    speaking = platform()
    rules = task_rules(speaking.annotation.task(found.task_slug))
    leased = attempt(lambda: speaking.validation.lease(found.round_id))
    if leased.value is None:
        return _page(found, rules, problem=problem or leased.problem)
    if leased.value.lease_id is None:
        return _page(found, rules, queue=queue_view(leased.value), problem=problem)
    reason = request.form.get("reason", "") if problem and problem.field == "reason" else ""
    work = work_view(leased.value, rules, key=uuid4().hex, reason=reason, problem=problem)
    return _page(found, rules, work=work, problem=problem)


def _page(found: Round, rules: TaskRules, problem: ProblemView | None = None, **views: object) -> Response:
    mine = optional(lambda: platform().validation.my_votes(found.round_id))
    parts = {"work": None, "queue": None, "reveal": None, "texts": [], **views}
    return page(
        "validate.html",
        problem.status if problem else 200,
        round=round_view(found),
        task=rules,
        problem=problem,
        line=work_line(mine),
        advance=request.values.get("advance") == "1",
        **parts,
    )
