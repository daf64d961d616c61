"""One's own tries: the list, retracting, explaining, and inspecting a target."""

from functools import partial
from uuid import UUID

from dynabench_client.results.annotation import Example
from dynabench_common.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.entrypoints.http import form
from web.entrypoints.http.dependencies import platform
from web.entrypoints.http.outcomes import attempt, optional, optional_all
from web.entrypoints.http.rendering import go_to, page
from web.presenters.configuration import TaskRules, task_rules
from web.presenters.creation import tally_view
from web.presenters.examples import try_view
from web.presenters.inspection import inspection_view
from web.presenters.rounds import round_view
from web.return_address import safe_return

PAGE = 20

blueprint = Blueprint("tries", __name__)


@blueprint.get("/rounds/<uuid:round_id>/tries")
@requires(Permission.USE_OWN_PAGES)
def get_tries(round_id: UUID) -> Response:
    """List one's own tries in a round, newest first, with what the votes made of them."""
    speaking = platform()
    found = speaking.annotation.round(str(round_id))
    rules = task_rules(speaking.annotation.task(found.task_slug))
    tries = speaking.annotation.examples(found.round_id, limit=PAGE, cursor=request.args.get("cursor"))
    resolutions = optional_all(
        [partial(speaking.validation.resolution, example.example_id) for example in tries.items]
    )
    mine = optional(lambda: speaking.annotation.my_tries(found.round_id))
    figures = optional(lambda: speaking.leaderboard.me(found.round_id))
    return page(
        "tries.html",
        round=round_view(found),
        task=rules,
        tries=[try_view(e, rules, r) for e, r in zip(tries.items, resolutions, strict=True)],
        next_cursor=tries.next_cursor,
        is_first=not request.args.get("cursor"),
        tally=tally_view(mine, figures),
    )


@blueprint.post("/examples/<uuid:example_id>/retraction")
@requires(Permission.CHANGE_OWN_EXAMPLE)
def post_retraction(example_id: UUID) -> Response:
    """Retract one's own example, for good."""
    example = platform().annotation.retract(str(example_id), form.key())
    return go_to(_back(example), "retracted")


@blueprint.post("/examples/<uuid:example_id>/explanations")
@requires(Permission.CHANGE_OWN_EXAMPLE)
def post_explanations(example_id: UUID) -> Response:
    """Say why the label is right, and why the model was fooled."""
    given = {name: form.text(name) for name in ("label", "model")}
    example = platform().annotation.explain_example(str(example_id), **given)
    return go_to(_back(example), "explained")


@blueprint.post("/examples/<uuid:example_id>/inspections")
@requires(Permission.INSPECT_EXAMPLE)
def post_inspection(example_id: UUID) -> Response:
    """Show which parts of the text moved a target. It is counted, hence a form and no link."""
    speaking = platform()
    target = request.form.get("target", "")
    example = speaking.annotation.example(str(example_id))
    rules = task_rules(speaking.annotation.task(example.task_slug))
    outcome = attempt(lambda: speaking.annotation.inspect(str(example_id), target))
    inspection = outcome.value
    return page(
        "inspection.html",
        outcome.problem.status if outcome.problem else 200,
        task=rules,
        example=try_view(example, rules),
        target=target,
        problem=outcome.problem,
        inspection=inspection_view(inspection, _text(example, rules), rules.labels) if inspection else None,
        back=_create_page(example),
    )


def _text(example: Example, rules: TaskRules) -> str:
    """Return the text that targets read: offsets of an explanation count in it."""
    return next((str(example.input[field.name]) for field in rules.texts if field.name in example.input), "")


def _create_page(example: Example) -> str:
    return f"/rounds/{example.round_id}/create?example={example.example_id}"


def _back(example: Example) -> str:
    given = request.form.get("back")
    return safe_return(given) if given else _create_page(example)
