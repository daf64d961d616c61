"""Preview of a round's writing page for its owner, with a context of the round. Nothing is assigned or stored."""

from uuid import UUID

from dynabench_client.results.annotation import Assignment
from dynabench_client.results.base import every
from dynabench_common.auth.permissions import Permission, ensure, requires
from flask import Blueprint, Response

from web.create.form import FormState, create_view, tally_view
from web.kit.answers import worked_examples
from web.kit.configuration import task_rules
from web.kit.dependencies import platform
from web.kit.parallel import round_and_task
from web.kit.questions import filled_input, fresh_values
from web.kit.rendering import go_to, page
from web.kit.rounds import round_view

CONTEXTS_AT_ONCE = 50

blueprint = Blueprint("create_preview", __name__)


@blueprint.get("/rounds/<uuid:round_id>/preview")
@requires(Permission.MANAGE_TASK)
def get_preview(round_id: UUID) -> Response:
    """Show the writing page as people will see it, with disabled controls."""
    found, task = round_and_task(str(round_id))
    ensure(Permission.MANAGE_TASK, task=found.task_slug)
    read = platform().annotation.contexts
    listed = every(lambda cursor: read(found.round_id, limit=CONTEXTS_AT_ONCE, cursor=cursor))
    context = next((each for each in listed if not each.is_withdrawn), None)
    if context is None:
        return go_to(f"/rounds/{found.round_id}/contexts", "preview-empty")
    rules = task_rules(task)
    assignment = Assignment.blank(
        context=context,
        context_shown=True,
        has_targets=bool(found.targets),
        assigned_label=rules.labels[0] if rules.assigns_label and rules.labels else None,
    )
    return page(
        "create/preview.html",
        round=round_view(found),
        task=rules,
        worked_examples=worked_examples(rules),
        bar=None,
        order=None,
        break_due=False,
        view=create_view(
            rules,
            assignment,
            FormState(entered=filled_input(rules, fresh_values(rules, assignment))),
            round_id=found.round_id,
            round_number=found.number,
            targets=found.targets,
            tally=tally_view(None, None),
        ),
    )
