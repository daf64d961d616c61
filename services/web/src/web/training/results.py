"""Results of a task's training, for its owners: the questions that people fail, and how far each person is."""

from dynabench_common.auth.permissions import Permission, ensure, requires
from flask import Blueprint, Response, request

from web.kit.configuration import task_rules
from web.kit.dependencies import platform
from web.kit.paid_work import CREATE, VALIDATE
from web.kit.parallel import page_reads
from web.kit.rendering import page
from web.training.results_view import person_rows, question_rows

PAGE = 50

blueprint = Blueprint("training_results", __name__)


@blueprint.get("/tasks/<slug>/training")
@requires(Permission.MANAGE_TASK)
def get_results(slug: str) -> Response:
    """Show the results of one activity, by default of the first that has a training."""
    ensure(Permission.MANAGE_TASK, task=slug)
    client, reads = platform(), page_reads()
    rules = task_rules(client.annotation.task(slug))
    trained = [each for each in (CREATE, VALIDATE) if each in rules.trained]
    if not trained:
        return page("training/results.html", task=rules, activity="", trained=trained)
    asked, cursor = request.args.get("of", ""), request.args.get("cursor")
    activity = asked if asked in trained else trained[0]
    kept_by = client.annotation if activity == CREATE else client.validation
    figures = reads.read(kept_by.quiz_figures, slug)
    listed = reads.read(kept_by.trainees, slug, limit=PAGE, cursor=cursor).needed()
    return page(
        "training/results.html",
        task=rules,
        activity=activity,
        trained=trained,
        questions=question_rows(figures.needed().items),
        people=person_rows(listed.items),
        is_first=not cursor,
        next_cursor=listed.next_cursor,
    )
