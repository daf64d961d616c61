"""Inspection of targets: the influence of each part of the texts. Computed only on request, and counted."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar
from uuid import UUID

from dynabench_client.results.annotation import Inspection
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.telemetry.spans import in_this_trace
from flask import Blueprint, Response, copy_current_request_context, request

from web.kit.configuration import TaskRules, task_rules
from web.kit.dependencies import platform
from web.kit.fields import Texts
from web.kit.inspection_view import (
    STEP_CHOICES,
    InspectedTarget,
    inspection_choices,
    inspection_view,
)
from web.kit.outcomes import attempt
from web.kit.questions import texts_of
from web.kit.rendering import page

MOST_TARGETS = 8
Found = TypeVar("Found")
Explain = Callable[[str, str | None, int | None], Inspection]

blueprint = Blueprint("inspections", __name__)


@blueprint.post("/examples/<uuid:example_id>/inspections")
@requires(Permission.INSPECT_EXAMPLE)
def post_inspection(example_id: UUID) -> Response:
    """Inspect one or more targets on an example, side by side. Inspections are counted, hence a form and no link."""
    client = platform()
    example = client.annotation.example(str(example_id))
    rules = task_rules(client.annotation.task(example.task_slug))

    def explain(target: str, label: str | None, n_steps: int | None) -> Inspection:
        return client.annotation.inspect(str(example_id), target, label, n_steps)

    texts = texts_of(rules, example.context, example.input)
    inspected = inspect_all(request.form.getlist("target")[:MOST_TARGETS] or [""], explain, texts, rules)
    return page(
        "inspect/inspection.html",
        status_of(inspected),
        task=rules,
        inspected=inspected,
        choices=choices_of(inspected, rules),
        action=f"/examples/{example_id}/inspections",
        tip=bool(request.form.get("tip")),
        back=f"/rounds/{example.round_id}/tries/{example.example_id}",
    )


def inspect_all(
    targets: Sequence[str], explain: Explain, texts: Texts, rules: TaskRules
) -> list[InspectedTarget]:
    """Return the requested explanations, one for each target; a failure affects only its target."""
    label, n_steps = request.form.get("label") or None, chosen_steps()

    def inspect(target: str) -> InspectedTarget:
        outcome = attempt(partial(explain, target, label, n_steps))
        view = inspection_view(outcome.value, texts, rules) if outcome.value else None
        return InspectedTarget(target, view, outcome.problem)

    return for_each(targets, inspect)


def for_each(targets: Sequence[str], ask: Callable[[str], Found]) -> list[Found]:
    """Ask about each target at the same time, and return the results in their order."""
    if len(targets) == 1:
        return [ask(targets[0])]
    with ThreadPoolExecutor(len(targets)) as pool:
        asked = [
            pool.submit(in_this_trace(copy_current_request_context(partial(ask, target))))
            for target in targets
        ]
        return [each.result() for each in asked]


def chosen_steps() -> int | None:
    """Return the number of steps in the form, if it is an offered one."""
    given = request.form.get("n_steps", "")
    return next((number for number in STEP_CHOICES if str(number) == given), None)


def choices_of(inspected: Sequence[InspectedTarget], rules: TaskRules) -> object:
    """Return the options for the next request, with the current choices."""
    explained = {each.inspection.label.name for each in inspected if each.inspection}
    label = request.form.get("label") or (explained.pop() if len(explained) == 1 else "")
    return inspection_choices(rules, label, chosen_steps())


def status_of(inspected: Sequence[InspectedTarget]) -> int:
    """Return the status of the page: that of the problem if it shows nothing else."""
    problems = [each.problem for each in inspected if each.problem]
    return problems[0].status if len(problems) == len(inspected) else 200
