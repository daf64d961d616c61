"""The owner's page of a task: its rounds, the contexts that are left, and the form that drafts a round."""

from collections.abc import Sequence

from dynabench_client import Dynabench
from dynabench_client.results.annotation import OwnersContext, Round
from dynabench_client.results.base import LARGEST_PAGE, Page
from dynabench_common.auth.permissions import Permission, ensure, requires
from flask import Blueprint, Response, request

from web.kit import form
from web.kit.configuration import task_rules
from web.kit.dependencies import platform
from web.kit.outcomes import attempt
from web.kit.owners_start import owners_start
from web.kit.parallel import Part, page_reads
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page
from web.kit.round_actions import MOST_TARGETS, round_address
from web.kit.rounds import UNFINISHED, round_view
from web.tasks.task_view import StockView, model_views, stock_view

MOST_STOCKS_READ = 3

blueprint = Blueprint("manage_task", __name__)


@blueprint.get("/tasks/<slug>/manage")
@requires(Permission.MANAGE_TASK)
def get_manage(slug: str) -> Response:
    """Show the owner's tools of a task."""
    return _manage_page(slug)


@blueprint.post("/tasks/<slug>/rounds")
@requires(Permission.MANAGE_TASK)
def post_round(slug: str) -> Response:
    """Draft a round with the chosen targets; without any it is a control round."""
    ensure(Permission.MANAGE_TASK, task=slug)
    targets, title = request.form.getlist("target"), form.text("title") or None
    outcome = attempt(lambda: platform().annotation.create_round(slug, targets, title))
    if outcome.value is not None:
        return go_to(f"/rounds/{outcome.value.round_id}", "round-drafted")
    return _manage_page(slug, outcome.problem, targets, title or "")


def _manage_page(
    slug: str, problem: ProblemView | None = None, chosen_targets: Sequence[str] = (), title: str = ""
) -> Response:
    ensure(Permission.MANAGE_TASK, task=slug)
    client = platform()
    fitting = page_reads().read(client.annotation.models, slug)
    task = client.annotation.task(slug)
    rounds = sorted(task.rounds, key=lambda found: -found.number)
    contexts, models = _begin_contexts(client, rounds), fitting.value()
    rules, newest = task_rules(task), rounds[0] if rounds else None
    board = page_reads().read(client.leaderboard.round, newest.round_id).value() if newest else None
    return page(
        "tasks/manage.html",
        problem.status if problem else 200,
        task=rules,
        start=owners_start(rules, newest, board.tries if board else None, joins=f"/tasks/{slug}/join"),
        rounds=[(round_view(found), round_address(found)) for found in rounds],
        models=None if models is None else model_views(models),
        stocks=_stocks(contexts),
        problem=problem,
        chosen_targets=chosen_targets,
        title=title,
        most_targets=MOST_TARGETS,
    )


def _begin_contexts(
    client: Dynabench, rounds: Sequence[Round]
) -> list[tuple[Round, Part[Page[OwnersContext]]]]:
    """Start reading the contexts of the newest rounds that still need them."""
    wanting = [found for found in rounds if found.state in UNFINISHED][:MOST_STOCKS_READ]
    read = client.annotation.contexts
    return [(found, page_reads().read(read, found.round_id, limit=LARGEST_PAGE)) for found in wanting]


def _stocks(contexts: Sequence[tuple[Round, Part[Page[OwnersContext]]]]) -> list[StockView]:
    """Return the numbers of remaining contexts of rounds."""
    return [
        stock_view(found, listed.items, is_whole=listed.next_cursor is None)
        for found, part in contexts
        if (listed := part.value()) is not None
    ]
