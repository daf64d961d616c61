"""The words that decided a model's answer on a public example, computed on request."""

from uuid import UUID

from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.problems import not_found
from flask import Blueprint, Response, request

from web.kit.configuration import task_rules
from web.kit.dependencies import platform
from web.kit.inspection_view import InspectedTarget, inspection_view
from web.kit.outcomes import attempt
from web.kit.public_examples import example_address, readers_rules
from web.kit.questions import texts_of
from web.kit.rendering import page

blueprint = Blueprint("example_words", __name__)


@blueprint.post("/examples/<uuid:example_id>/words")
@requires(Permission.USE_PAGES)
def post_words(example_id: UUID) -> Response:
    """Explain a model's answer. It costs hundreds of predictions, hence a form and no link that crawlers follow."""
    client, target = platform(), request.form.get("target", "")
    found = client.public_examples.get(str(example_id))
    names = [each.target for each in found.answers if each.value is not None]
    if target not in names:
        raise not_found("model", "target")
    rules = readers_rules(task_rules(client.annotation.task(found.task_slug)))
    outcome = attempt(lambda: client.public_examples.explain(found.example_id, target))
    texts = texts_of(rules, found.context or {}, found.input)
    view = inspection_view(outcome.value, texts, rules) if outcome.value else None
    return page(
        "examples/words.html",
        outcome.problem.status if outcome.problem else 200,
        task=rules,
        address=example_address(found.example_id),
        inspected=InspectedTarget(target, view, outcome.problem),
        number=1 + [each.target for each in found.answers].index(target),
    )
