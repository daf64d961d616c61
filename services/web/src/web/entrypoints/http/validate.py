"""The page on which a person validates examples of others: a blind answer first, then the author's label."""

from dataclasses import dataclass
from uuid import UUID, uuid4

from dynabench_client.results.annotation import Round
from dynabench_client.results.validation import Vote
from dynabench_client.values import Value, Values
from dynabench_common.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.entrypoints.http import form
from web.entrypoints.http.content_notice import notice_before
from web.entrypoints.http.dependencies import platform
from web.entrypoints.http.outcomes import Outcome, attempt, optional
from web.entrypoints.http.rendering import go_to, page
from web.presenters import fields
from web.presenters.configuration import TaskRules, task_rules
from web.presenters.fields import Asking, Texts, Unreadable
from web.presenters.problems import ProblemView
from web.presenters.reading import read_metadata, refusal, texts_of, words_of
from web.presenters.rounds import round_view
from web.presenters.validation import (
    ANSWER,
    FLAG,
    answer_field,
    queue_view,
    reveal_view,
    shown_example,
    work_line,
    work_view,
)
from web.presenters.worked_examples import worked_examples

OPTION = "option:"
UNSURE = "unsure"

blueprint = Blueprint("validate", __name__)


@dataclass(frozen=True)
class Ballot:
    """What a form says: the kind of answer, its value, and what was asked beside it; or what can't be read."""

    kind: str
    value: Value | None = None
    metadata: Values | None = None
    problem: ProblemView | None = None


@blueprint.get("/rounds/<uuid:round_id>/validate")
@requires(Permission.VALIDATE)
def get_validate(round_id: UUID) -> Response:
    """Show the next example, or why there is none."""
    found = platform().annotation.round(str(round_id))
    rules = task_rules(platform().annotation.task(found.task_slug))
    return notice_before(rules) or _next(found, rules)


@blueprint.post("/rounds/<uuid:round_id>/validate")
@requires(Permission.VALIDATE)
def post_vote(round_id: UUID) -> Response:
    """Store an answer and reveal the author's; a resent form gets the same answer again."""
    speaking = platform()
    found = speaking.annotation.round(str(round_id))
    rules = task_rules(speaking.annotation.task(found.task_slug))
    ballot = _read_ballot(found, rules)
    if ballot.problem is not None:
        return _next(found, rules, ballot.problem)
    outcome = _vote(ballot)
    if outcome.value is None:
        return _next(found, rules, outcome.problem)
    shown = shown_example(request.form.get("shown", ""))
    reveal = reveal_view(outcome.value, rules, ballot.kind, ballot.value, shown)
    advance = request.form.get("advance") == "1"
    if advance or reveal.claimed is None or ballot.kind == "judgement":
        return go_to(f"/rounds/{round_id}/validate", "voted", **({"advance": "1"} if advance else {}))
    return _page(found, rules, reveal=reveal)


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


def _vote(ballot: Ballot) -> Outcome[Vote]:
    reason = form.text("reason") if ballot.kind == FLAG else None
    return attempt(
        lambda: platform().validation.vote(
            request.form.get("lease_id", ""),
            ballot.kind,
            value=ballot.value,
            reason=reason,
            metadata=ballot.metadata or None,
            idempotency_key=form.key(),
        )
    )


def _read_ballot(found: Round, rules: TaskRules) -> Ballot:
    """Return what the form says; marks are looked for in the example that it carries."""
    choice, given = request.form.get("choice", ""), request.form.get("kind", "label")
    kind = choice if choice in {FLAG, UNSURE} else given
    if choice.startswith(OPTION):
        return Ballot(kind, choice.removeprefix(OPTION))
    if kind == UNSURE:
        return Ballot(kind)
    shown = shown_example(request.form.get("shown", ""))
    texts = texts_of(rules, shown.context, shown.input)
    value, problem = (None, None) if kind == FLAG else _read_answer(kind, rules, texts)
    if problem is not None:
        return Ballot(kind, problem=problem)
    said = frozenset({FLAG}) if kind == FLAG else words_of(value)
    reading = read_metadata(rules.validate_metadata, found.number, {"vote": said}, form.held(), texts)
    return Ballot(kind, value, reading.values, reading.problem)


def _read_answer(kind: str, rules: TaskRules, texts: Texts) -> tuple[Value | None, ProblemView | None]:
    answer_type = rules.claimed.type if rules.claimed and kind == "label" else kind
    asked = answer_field(rules, answer_type, rules.options)
    try:
        value = fields.read(asked, Asking(control=ANSWER, held=form.held()), texts)
    except Unreadable as err:
        return None, refusal(ANSWER, err.reason, err.remedy)
    if value is None:
        return None, refusal(ANSWER, "Nothing is chosen.", "Answer it, say that you are unsure, or skip it.")
    return value, None


def _next(found: Round, rules: TaskRules, problem: ProblemView | None = None) -> Response:
    leased = attempt(lambda: platform().validation.lease(found.round_id))
    if leased.value is None:
        return _page(found, rules, problem=problem or leased.problem)
    if leased.value.lease_id is None:
        return _page(found, rules, queue=queue_view(leased.value), problem=problem)
    is_same = leased.value.lease_id == request.form.get("lease_id")
    reason = request.form.get("reason", "") if problem and problem.field == "reason" else ""
    work = work_view(
        leased.value,
        rules,
        key=uuid4().hex,
        held=form.held() if is_same else {},
        round_number=found.number,
        reason=reason,
        problem=problem,
    )
    return _page(found, rules, work=work, problem=problem)


def _page(found: Round, rules: TaskRules, problem: ProblemView | None = None, **views: object) -> Response:
    mine = optional(lambda: platform().validation.my_votes(found.round_id))
    parts = {"work": None, "queue": None, "reveal": None, **views}
    return page(
        "validate.html",
        problem.status if problem else 200,
        round=round_view(found),
        task=rules,
        worked_examples=worked_examples(rules),
        problem=problem,
        line=work_line(mine),
        advance=request.values.get("advance") == "1",
        **parts,
    )
