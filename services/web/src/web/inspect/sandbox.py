"""The sandbox: asking and inspecting models that are in no open round. Nothing is stored or counted."""

from functools import partial

from dynabench_client.results.annotation import Answers, Inspection
from dynabench_common.auth.permissions import Permission, requires
from dynabench_tasks.values import Value
from flask import Blueprint, Response, request

from web.inspect.inspection_view import InspectedTarget
from web.inspect.inspections import choices_of, inspect_all, status_of
from web.inspect.sandbox_view import CONTEXT, sandbox_fields, sandbox_view
from web.kit import form, session
from web.kit.answers import answer_view
from web.kit.configuration import TaskRules, task_rules
from web.kit.content_notice import notice_before
from web.kit.dependencies import platform
from web.kit.outcomes import Outcome, attempt
from web.kit.questions import INPUT, read_fields, texts_of
from web.kit.rendering import page

blueprint = Blueprint("sandbox", __name__)
LONGEST_NAME = 100
Values = dict[str, dict[str, Value]]


@blueprint.get("/tasks/<slug>/sandbox")
@requires(Permission.USE_OWN_PAGES)
def get_sandbox(slug: str) -> Response:
    """Show an empty sandbox, with the address's model selected."""
    rules = task_rules(platform().annotation.task(slug))
    return notice_before(rules) or _show(rules, Outcome())


@blueprint.post("/tasks/<slug>/sandbox")
@requires(Permission.USE_OWN_PAGES)
def post_sandbox(slug: str) -> Response:
    """Ask the chosen model; the second button also requests an explanation."""
    client = platform()
    rules = task_rules(client.annotation.task(slug))
    target, values = request.form.get("target", ""), _values(rules)
    answered: Outcome[Answers] = attempt(
        partial(client.annotation.sandbox, slug, target, values[CONTEXT], values[INPUT])
    )
    inspected: list[InspectedTarget] = []
    if answered.value is not None and (
        request.form.get("action") == "inspect" or request.form.get("n_steps")
    ):

        def explain(name: str, label: str | None, n_steps: int | None) -> Inspection:
            return client.annotation.sandbox_inspect(
                slug, name, values[CONTEXT], values[INPUT], label, n_steps
            )

        texts = texts_of(rules, values[CONTEXT], values[INPUT])
        inspected = inspect_all([target], explain, texts, rules)
    return _show(rules, answered, inspected)


def _values(rules: TaskRules) -> Values:
    """Return the texts by part of the request. The service refuses blank ones."""
    entered, values = form.entered(), Values({CONTEXT: {}, INPUT: {}})
    for prefix, field in sandbox_fields(rules):
        values[prefix] |= read_fields([field], prefix, entered, {}).values
    return values


def _show(
    rules: TaskRules, answered: Outcome[Answers], inspected: list[InspectedTarget] | None = None
) -> Response:
    models = platform().annotation.models(rules.slug)
    problem = answered.problem
    status = problem.status if problem else status_of(inspected) if inspected else 200
    return page(
        "inspect/sandbox.html",
        status,
        task=rules,
        problem=problem,
        sandbox=sandbox_view(
            rules,
            models,
            form.entered(),
            request.form.get("target") or request.args.get("model", "")[:LONGEST_NAME],
            is_owner=session.viewer().owns(rules.slug),
            problem=problem,
        ),
        answers_given=[answer_view(each, rules) for each in answered.value.answers] if answered.value else [],
        inspected=inspected or [],
        choices=choices_of(inspected or [], rules),
    )
