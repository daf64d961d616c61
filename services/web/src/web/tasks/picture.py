"""The picture of a task in link previews."""

from dynabench_client.results.annotation import Round
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response

from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.parallel import page_reads
from web.kit.pictures import Picture, picture_answer
from web.kit.rounds import current_round, is_started
from web.kit.security import shown_on_other_sites
from web.kit.tries_line import tries_line

blueprint = Blueprint("task_picture", __name__)


@blueprint.get("/tasks/<slug>/picture.png")
@requires(Permission.USE_PAGES)
@shown_on_other_sites
def get_picture(slug: str) -> Response:
    """Send the picture of a task: its title, its description, and the result of its current round."""
    task = platform().acting_as().annotation.task(slug)
    below = _round_result(current_round(task.rounds))
    return picture_answer(Picture(_("Write texts that fool models"), task.title, task.description, below))


def _round_result(found: Round | None) -> tuple[str, ...]:
    """Return the result of a round in a sentence, if it can be read."""
    if found is None or not is_started(found):
        return ()
    figures = page_reads().read(platform().acting_as().leaderboard.round, found.round_id).value()
    if figures is None:
        return ()
    return (_("Round %(number)s: %(tries)s", number=found.number, tries=tries_line(figures).sentence),)
