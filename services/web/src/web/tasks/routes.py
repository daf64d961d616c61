"""The page of a task, with the form for drafting rounds."""

from collections.abc import Sequence
from functools import partial

from dynabench_client import Dynabench
from dynabench_client.pages import LARGEST_PAGE
from dynabench_client.results.annotation import OwnersContext, Round, Task
from dynabench_client.results.base import Page
from dynabench_client.results.leaderboard import RoundFigures
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit import form, session
from web.kit.charts.columns import columns
from web.kit.charts.svg import Chart
from web.kit.configuration import task_rules
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.outcomes import attempt
from web.kit.parallel import Part, optional_all, page_reads
from web.kit.problems import ProblemView
from web.kit.released import released_by_round, rounds_released
from web.kit.rendering import go_to, is_htmx, page
from web.kit.round_actions import MOST_TARGETS
from web.kit.rounds import current_round, round_view, started_rounds
from web.kit.words import language_words
from web.kit.worked_examples import worked_examples
from web.tasks.activity import tries_by_day, tries_by_round
from web.tasks.task_view import StockView, model_views, round_rows, stock_view

MOST_ROUNDS_READ = 12
MOST_STOCKS_READ = 3
STILL_USED = {"draft", "open", "paused"}

blueprint = Blueprint("tasks", __name__)


@blueprint.get("/tasks/<slug>")
@requires(Permission.USE_PAGES)
def get_task(slug: str) -> Response:
    """Show a task: description, rounds with figures, and instructions."""
    return _task_page(platform().annotation.task(slug))


@blueprint.post("/tasks/<slug>/rounds")
@requires(Permission.MANAGE_TASK)
def post_round(slug: str) -> Response:
    """Draft a round with the chosen targets; without any it is a control round."""
    targets, title = request.form.getlist("target"), form.text("title") or None
    outcome = attempt(lambda: platform().annotation.create_round(slug, targets, title))
    if outcome.value is not None:
        return go_to(f"/rounds/{outcome.value.round_id}", "round-drafted")
    return _task_page(platform().annotation.task(slug), outcome.problem, targets)


@blueprint.get("/tasks/<slug>/activity")
@requires(Permission.USE_PAGES)
def get_activity(slug: str) -> Response:
    """Show the times of tries; the task's page loads this part later."""
    task = platform().annotation.task(slug)
    return page(
        "tasks/activity_part.html" if is_htmx() else "tasks/activity.html",
        task=task_rules(task),
        activity=_activity(platform(), started_rounds(task.rounds)[:MOST_ROUNDS_READ]),
    )


def _task_page(
    task: Task, problem: ProblemView | None = None, chosen_targets: Sequence[str] = ()
) -> Response:
    client, rules = platform(), task_rules(task)
    rounds = sorted(task.rounds, key=lambda found: -found.number)
    now, owns = current_round(rounds), session.viewer().owns(task.slug)
    reads = page_reads()
    owners = reads.read(client.accounts.owners, task.slug)
    fitting = reads.read(client.annotation.models, task.slug) if session.viewer().is_signed_in else None
    datasets = reads.read(released_by_round, client.datasets, task.slug, rounds_released(rounds))
    contexts = _begin_contexts(client, rounds) if owns else []
    boards = _boards(client, started_rounds(rounds)[:MOST_ROUNDS_READ])
    models = fitting.value() if fitting else None
    return page(
        "tasks/task.html",
        problem.status if problem else 200,
        task=rules,
        description=task.description,
        languages=language_words(task.languages),
        version=task.configuration_version,
        worked_examples=worked_examples(rules),
        rounds=round_rows(rounds, boards),
        has_tries=any(board.tries for board in boards.values()),
        released=datasets.value() or {},
        now=round_view(now) if now else None,
        models=None if models is None else model_views(models),
        owns=owns,
        owners=[owner.user_name for owner in owners.value() or ()],
        stocks=_stocks(contexts),
        problem=problem,
        chosen_targets=chosen_targets,
        most_targets=MOST_TARGETS,
    )


def _boards(client: Dynabench, rounds: Sequence[Round]) -> dict[str, RoundFigures]:
    """Return the readable figures of rounds, by round."""
    boards = optional_all([partial(client.leaderboard.round, found.round_id) for found in rounds])
    return {found.round_id: board for found, board in zip(rounds, boards, strict=True) if board is not None}


def _activity(client: Dynabench, rounds: Sequence[Round]) -> Chart | None:
    """Return tries by day if the histories are readable, else by round."""
    reads = page_reads()
    histories = [reads.read(client.leaderboard.history, found.round_id) for found in rounds]
    boards = _boards(client, rounds)
    by_day = tries_by_day(history for part in histories if (history := part.value()) is not None)
    if by_day:
        words = _("All rounds together, days in UTC; tries without a verdict are not in it.")
        return columns("chart-activity", _("Tries per day"), words, (_("Day"), _("Tries")), by_day)
    by_round = tries_by_round(
        [(found.number, boards[found.round_id].tries) for found in rounds if found.round_id in boards]
    )
    headers = (_("Round"), _("Tries"))
    return columns("chart-activity", _("Tries per round"), _("All tries."), headers, by_round)


def _begin_contexts(
    client: Dynabench, rounds: Sequence[Round]
) -> list[tuple[Round, Part[Page[OwnersContext]]]]:
    """Start reading the contexts of the newest rounds that still need them."""
    wanting = [found for found in rounds if found.state in STILL_USED][:MOST_STOCKS_READ]
    read = client.annotation.contexts
    return [(found, page_reads().read(read, found.round_id, limit=LARGEST_PAGE)) for found in wanting]


def _stocks(contexts: Sequence[tuple[Round, Part[Page[OwnersContext]]]]) -> list[StockView]:
    """Return the numbers of remaining contexts of rounds."""
    return [
        stock_view(found, listed.items, is_whole=listed.next_cursor is None)
        for found, part in contexts
        if (listed := part.value()) is not None
    ]
