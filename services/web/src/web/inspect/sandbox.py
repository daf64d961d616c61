"""The sandbox: asking and inspecting models that are in no open round. Nothing is stored or counted."""

from collections.abc import Sequence
from functools import partial

from dynabench_client.results.annotation import Answers, Inspection
from dynabench_common.auth.permissions import Permission, requires
from dynabench_tasks.values import Value
from flask import Blueprint, Response, request

from web.inspect.inspections import MOST_TARGETS, choices_of, for_each, inspect_all, status_of
from web.inspect.sandbox_view import CONTEXT, Asked, answers_of, sandbox_fields, sandbox_view
from web.kit import form, session
from web.kit.configuration import TaskRules, task_rules
from web.kit.content_notice import notice_before
from web.kit.dependencies import platform
from web.kit.inspection_view import InspectedTarget
from web.kit.language import _
from web.kit.outcomes import Outcome, attempt
from web.kit.questions import INPUT, read_fields, refusal, texts_of
from web.kit.rendering import page

blueprint = Blueprint("sandbox", __name__)
LONGEST_NAME = 100
Values = dict[str, dict[str, Value]]


@blueprint.get("/tasks/<slug>/sandbox")
@requires(Permission.USE_OWN_PAGES)
def get_sandbox(slug: str) -> Response:
    """Show an empty sandbox, with the address's models selected."""
    rules = task_rules(platform().annotation.task(slug))
    return notice_before(rules) or _show(rules, [], [])


@blueprint.post("/tasks/<slug>/sandbox")
@requires(Permission.USE_OWN_PAGES)
def post_sandbox(slug: str) -> Response:
    """Ask the chosen models; the second button also requests an explanation of each answer."""
    client = platform()
    rules = task_rules(client.annotation.task(slug))
    targets, values = list(dict.fromkeys(request.form.getlist("target")))[:MOST_TARGETS], _values(rules)
    if not targets:
        problem = refusal("target", _("No model is chosen."), _("Choose at least one model."))
        return _show(rules, [Asked("", Outcome(problem=problem))], [])

    def ask(target: str) -> Asked:
        outcome: Outcome[Answers] = attempt(
            partial(client.annotation.sandbox, slug, target, values[CONTEXT], values[INPUT])
        )
        return Asked(target, outcome)

    def explain(name: str, label: str | None, n_steps: int | None) -> Inspection:
        return client.annotation.sandbox_inspect(slug, name, values[CONTEXT], values[INPUT], label, n_steps)

    asked = for_each(targets, ask)
    answered = [each.target for each in asked if each.outcome.value is not None]
    inspected: list[InspectedTarget] = []
    if answered and (request.form.get("action") == "inspect" or request.form.get("n_steps")):
        inspected = inspect_all(answered, explain, texts_of(rules, values[CONTEXT], values[INPUT]), rules)
    return _show(rules, asked, inspected)


def _values(rules: TaskRules) -> Values:
    """Return the texts by part of the request. The service refuses blank ones."""
    entered, values = form.entered(), Values({CONTEXT: {}, INPUT: {}})
    for prefix, field in sandbox_fields(rules):
        values[prefix] |= read_fields([field], prefix, entered, {}).values
    return values


def _show(rules: TaskRules, asked: Sequence[Asked], inspected: Sequence[InspectedTarget]) -> Response:
    models = platform().annotation.models(rules.slug)
    answers = answers_of(asked, rules)
    problem = None if answers else next((each.outcome.problem for each in asked), None)
    status = problem.status if problem else status_of(inspected) if inspected else 200
    wanted = request.form.getlist("target") or request.args.getlist("model")
    return page(
        "inspect/sandbox.html",
        status,
        task=rules,
        problem=problem,
        sandbox=sandbox_view(
            rules,
            models,
            form.entered(),
            [name[:LONGEST_NAME] for name in wanted[:MOST_TARGETS]],
            is_owner=session.viewer().owns(rules.slug),
            problem=problem,
        ),
        most_models=MOST_TARGETS,
        answers_given=answers,
        inspected=inspected,
        choices=choices_of(inspected, rules),
    )
