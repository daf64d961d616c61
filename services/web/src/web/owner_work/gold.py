"""A task's known items: those made from examples, and attention checks by owners."""

from dataclasses import dataclass
from uuid import UUID

from dynabench_client.results.annotation import Task
from dynabench_client.results.validation import GoldItem
from dynabench_common.auth.permissions import Permission, ensure, requires
from dynabench_tasks.values import Value
from flask import Blueprint, Response, request

from web.kit import fields, form
from web.kit.configuration import TaskRules, task_rules
from web.kit.dependencies import platform
from web.kit.fields import Asking, Unreadable
from web.kit.language import _
from web.kit.outcomes import Outcome, attempt
from web.kit.problems import ProblemView
from web.kit.questions import read_fields, refusal
from web.kit.rendering import go_to, page
from web.kit.rounds import round_view
from web.kit.votes import vote_kind
from web.owner_work.gold_view import (
    ANSWER,
    CONTEXT,
    INPUT,
    answer_field,
    check_questions,
    gold_rows,
    input_fields,
    span_texts,
)
from web.owner_work.validators import chosen_round, started_rounds

PAGE = 25

blueprint = Blueprint("gold", __name__, url_prefix="/tasks/<slug>/gold")


@dataclass(frozen=True)
class Check:
    """An attention check from its form."""

    context: dict[str, Value]
    input: dict[str, Value]
    answer: Value


@blueprint.get("")
@requires(Permission.ADJUDICATE)
def get_gold(slug: str) -> Response:
    """List the items, the newest first."""
    ensure(Permission.ADJUDICATE, task=slug)
    return _gold_page(platform().annotation.task(slug))


@blueprint.post("")
@requires(Permission.ADJUDICATE)
def post_check(slug: str) -> Response:
    """Add an attention check."""
    ensure(Permission.ADJUDICATE, task=slug)
    task = platform().annotation.task(slug)
    outcome = _add_check(task)
    if outcome.value is None:
        return _gold_page(task, outcome.problem)
    return go_to(f"/tasks/{task.slug}/gold", "gold-added")


@blueprint.post("/refresh")
@requires(Permission.ADJUDICATE)
def post_refresh(slug: str) -> Response:
    """Refresh the known items from a round's examples."""
    ensure(Permission.ADJUDICATE, task=slug)
    task = platform().annotation.task(slug)
    round_id = request.form.get("round_id", "")
    if round_id not in {each.round_id for each in task.rounds}:
        return _gold_page(task, refusal("round_id", _("The round is missing."), _("Choose a round.")))
    outcome = attempt(lambda: platform().validation.refresh_gold(round_id))
    if outcome.value is None:
        return _gold_page(task, outcome.problem)
    done = outcome.value
    counts = {"added": done.added, "retired": done.retired, "in_use": done.in_use}
    return go_to(
        f"/tasks/{task.slug}/gold", "gold-refreshed", **{name: str(number) for name, number in counts.items()}
    )


@blueprint.post("/<uuid:gold_id>/retirement")
@requires(Permission.ADJUDICATE)
def post_retirement(slug: str, gold_id: UUID) -> Response:
    """Retire an item."""
    ensure(Permission.ADJUDICATE, task=slug)
    platform().validation.retire_gold(str(gold_id))
    return go_to(f"/tasks/{slug}/gold", "gold-retired")


def _add_check(task: Task) -> Outcome[GoldItem]:
    check = _read_check(task_rules(task), vote_kind(task.configuration))
    if check.value is None:
        return Outcome(problem=check.problem)
    stated = check.value
    return attempt(
        lambda: platform().validation.add_gold(task.slug, stated.context, stated.input, stated.answer)
    )


def _read_check(rules: TaskRules, kind: str) -> Outcome[Check]:
    entered = form.entered()
    context = read_fields(rules.context, CONTEXT, entered, {})
    written = read_fields([each for each in rules.input if each.is_free_text], INPUT, entered, {})
    texts = span_texts(dict(context.values), dict(written.values))
    whole = read_fields(input_fields(rules, kind), INPUT, entered, texts)
    problem = context.problem or whole.problem
    if problem is not None:
        return Outcome(problem=problem)
    try:
        answer = fields.read(answer_field(rules, kind), Asking(control=ANSWER, entered=entered), texts)
    except Unreadable as err:
        return Outcome(problem=refusal(ANSWER, err.reason, err.remedy))
    if answer is None:
        return Outcome(
            problem=refusal(ANSWER, _("The right answer is missing."), _("Give the right answer."))
        )
    return Outcome(value=Check(dict(context.values), dict(whole.values), answer))


def _gold_page(task: Task, problem: ProblemView | None = None) -> Response:
    rules, kind, cursor = task_rules(task), vote_kind(task.configuration), request.args.get("cursor")
    listed = platform().validation.gold(task.slug, limit=PAGE, cursor=cursor)
    chosen = chosen_round(task)
    return page(
        "owner_work/gold.html",
        problem.status if problem else 200,
        task=rules,
        items=gold_rows(listed.items, rules, kind),
        questions=check_questions(rules, kind, form.entered(), problem),
        next_cursor=listed.next_cursor,
        is_first=not cursor,
        rounds=[round_view(each) for each in started_rounds(task)],
        chosen=round_view(chosen) if chosen else None,
        refreshed={name: request.args.get(name, type=int) for name in ("added", "retired", "in_use")},
        problem=problem,
    )
