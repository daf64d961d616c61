"""The training of a person: read and agree, practise, answer the quiz. Services keep how far the person is."""

from functools import partial
from typing import TypeAlias
from urllib.parse import urlencode

from dynabench_client.areas.onboarding import OnboardingClient
from dynabench_client.results.annotation import Onboarding, Task
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit.answers import worked_examples
from web.kit.configuration import task_rules
from web.kit.content_notice import notice_before
from web.kit.dependencies import platform
from web.kit.form import whole_number
from web.kit.outcomes import Outcome, attempt
from web.kit.paid_work import CREATE
from web.kit.practised import has_seen_practice
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page
from web.kit.rounds import current_round
from web.kit.security import HOME, safe_return
from web.training.training_view import question_view, training_view

Did: TypeAlias = Outcome[Onboarding]

blueprint = Blueprint(
    "training", __name__, url_prefix="/tasks/<slug>/training/<any(create, validate):activity>"
)


@blueprint.get("")
@requires(Permission.USE_OWN_PAGES)
def get_training(slug: str, activity: str) -> Response:
    """Show the next step; with `question`, the result of the answer to that one."""
    task = platform().annotation.task(slug)
    notice = notice_before(task_rules(task))
    return notice or _shown(task, activity, _kept_by(activity).onboarding(slug))


@blueprint.post("/confirmation")
@requires(Permission.USE_OWN_PAGES)
def post_confirmation(slug: str, activity: str) -> Response:
    """Confirm the guidelines and the consent text that the page showed, then go on to the practice or the quiz."""
    versions = (_number("guidelines_version"), _number("consent_version"))
    outcome = attempt(partial(_kept_by(activity).confirm_guidelines, slug, *versions))
    task = platform().annotation.task(slug)
    if outcome.value is None:
        return _shown(task, activity, _kept_by(activity).onboarding(slug), outcome.problem)
    here = _address(task, activity)
    if activity == CREATE and task_rules(task).has_practice and not has_seen_practice(slug):
        return go_to(f"/tasks/{slug}/practice", next=here)
    return go_to(here)


@blueprint.post("/attempts")
@requires(Permission.USE_OWN_PAGES)
def post_attempt(slug: str, activity: str) -> Response:
    """Begin an attempt at the quiz."""
    return _after(slug, activity, attempt(partial(_kept_by(activity).start_quiz, slug)))


@blueprint.post("/answers")
@requires(Permission.USE_OWN_PAGES)
def post_answer(slug: str, activity: str) -> Response:
    """Answer a question, and show whether that is right, and why."""
    number, option = _number("number"), request.form.get("option", "")
    answer = partial(
        _kept_by(activity).answer_question, slug, request.form.get("attempt_id", ""), number, option
    )
    return _after(slug, activity, attempt(answer), question=str(number))


def _after(slug: str, activity: str, outcome: Did, **query: str) -> Response:
    task = platform().annotation.task(slug)
    if outcome.value is None:
        return _shown(task, activity, _kept_by(activity).onboarding(slug), outcome.problem)
    return go_to(_address(task, activity), **query)


def _shown(task: Task, activity: str, found: Onboarding, problem: ProblemView | None = None) -> Response:
    rules, on = task_rules(task), _on(task, activity)
    asked = request.args.get("question", "")
    return page(
        "training/page.html",
        problem.status if problem else 200,
        task=rules,
        activity=activity,
        training=training_view(found),
        question=question_view(found, whole_number(asked)),
        worked_examples=worked_examples(rules),
        offers_practice=activity == CREATE and rules.has_practice,
        here=f"/tasks/{task.slug}/training/{activity}",
        address_here=_address(task, activity),
        on=on,
        problem=problem,
    )


def _kept_by(activity: str) -> OnboardingClient:
    """Return the client of the service that hands out this work, and keeps its training."""
    return platform().annotation if activity == CREATE else platform().validation


def _address(task: Task, activity: str) -> str:
    """Return the address of the training, with the way on after it."""
    return f"/tasks/{task.slug}/training/{activity}?{urlencode({'next': _on(task, activity)})}"


def _on(task: Task, activity: str) -> str:
    """Return the address after the training: the previous page, else the work of the open round, else the task."""
    given = safe_return(request.values.get("next"))
    if given != HOME:
        return given
    now = current_round(task.rounds)
    return f"/rounds/{now.round_id}/{activity}" if now else f"/tasks/{task.slug}"


def _number(name: str) -> int:
    return whole_number(request.form.get(name, "")) or 0
