"""The picture of an example in link previews."""

from uuid import UUID

from dynabench_client.results.datasets import PublicExample
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response
from markupsafe import Markup

from web.kit import isolation
from web.kit.configuration import TaskRules
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.pictures import Picture, picture_answer
from web.kit.public_examples import example_card, fooled_words, rules_of_tasks
from web.kit.security import shown_on_other_sites

CHECKED_EACH_TIME = "public, no-cache"
"""An example that is hidden loses its picture at once: browsers and proxies ask again before they show a copy."""

blueprint = Blueprint("example_picture", __name__)


@blueprint.get("/examples/<uuid:example_id>/picture.png")
@requires(Permission.USE_PAGES)
@shown_on_other_sites
def get_picture(example_id: UUID) -> Response:
    """Send the picture of a public example."""
    found = platform().acting_as().public_examples.get(str(example_id))
    response = picture_answer(example_picture(found, rules_of_tasks((found,)).get(found.task_slug)))
    response.headers["Cache-Control"] = CHECKED_EACH_TIME
    return response


def example_picture(found: PublicExample, rules: TaskRules | None) -> Picture:
    """Return what the picture shows: the whole card, or only its notice where the page holds the text back."""
    card, heading = example_card(found, rules), fooled_words(found)
    if card.notice:
        return Picture(card.task_title, heading, card.notice, (_("Open the page to read the text."),))
    text = Markup("“{}”").format(isolation.text(card.text))
    return Picture(card.task_title, heading, text, (card.context, card.people_say, card.models_said))
