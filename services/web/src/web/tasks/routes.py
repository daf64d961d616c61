"""The page of a task, the same for everybody, and its tries over time."""

from collections.abc import Iterable, Mapping, Sequence

from dynabench_client import Dynabench
from dynabench_client.results.accounts import Owner
from dynabench_client.results.annotation import Round, Task, TaskModel
from dynabench_client.results.leaderboard import PeopleRanks, RoundFigures
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response

from web.kit import session
from web.kit.answers import worked_examples
from web.kit.charts.columns import columns
from web.kit.charts.svg import Chart
from web.kit.configuration import task_rules
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.nicknames import by_person, place_views, placed
from web.kit.parallel import Part, page_reads
from web.kit.public_examples import begin_wall, wall
from web.kit.released import released_by_round, rounds_released
from web.kit.rendering import is_htmx, page
from web.kit.rounds import current_round, round_view, started_rounds
from web.kit.sharing import LinkPreview, own_address
from web.kit.words import language_words
from web.tasks.activity import tries_by_day, tries_by_round
from web.tasks.task_view import model_views, round_rows

MOST_ROUNDS_READ = 12
LEADERS = 3

blueprint = Blueprint("tasks", __name__)


@blueprint.get("/tasks/<slug>")
@requires(Permission.USE_PAGES)
def get_task(slug: str) -> Response:
    """Show a task: description, rounds with figures, and instructions."""
    client, reads = platform(), page_reads()
    begin_wall(task=slug)
    _begin_ranks(slug)
    _begin_owners_and_models(slug)
    return _task_page(reads.read(client.annotation.task, slug).needed())


@blueprint.get("/tasks/<slug>/activity")
@requires(Permission.USE_PAGES)
def get_activity(slug: str) -> Response:
    """Show the times of tries; the task's page loads this part later."""
    task = platform().annotation.task(slug)
    return page(
        "tasks/activity_part.html" if is_htmx() else "tasks/activity.html",
        task=task_rules(task),
        activity=_activity(platform(), _of_people(task.rounds)[:MOST_ROUNDS_READ]),
    )


def _task_page(task: Task) -> Response:
    client, rules = platform(), task_rules(task)
    rounds = sorted(task.rounds, key=lambda found: -found.number)
    now, reads = current_round(rounds), page_reads()
    owners, fitting = _begin_owners_and_models(task.slug)
    datasets = reads.read(released_by_round, client.datasets, task.slug, rounds_released(rounds))
    boards = _begin_boards(client, started_rounds(rounds)[:MOST_ROUNDS_READ])
    ranks = _begin_ranks(task.slug).value()
    names = reads.read(client.accounts.nicknames, placed(ranks, LEADERS)) if ranks and ranks.items else None
    models = fitting.value() if fitting else None
    figures = _readable(boards)
    return page(
        "tasks/task.html",
        task=rules,
        description=task.description,
        preview=LinkPreview(own_address(f"/tasks/{task.slug}"), task.title, task.description),
        languages=language_words(task.languages),
        version=task.configuration_version,
        worked_examples=worked_examples(rules),
        rounds=round_rows(rounds, figures),
        has_tries=any(board.tries for board in figures.values()),
        released=datasets.value() or {},
        now=round_view(now) if now else None,
        models=None if models is None else model_views(models),
        leaders=place_views(ranks, by_person((names and names.value()) or ()), LEADERS) if ranks else [],
        owners=[owner.user_name for owner in owners.value() or ()],
        wall=wall(begin_wall(task=task.slug), rules, slug=task.slug),
    )


def _begin_ranks(slug: str) -> Part[PeopleRanks]:
    """Start reading who found the most errors in a task."""
    return page_reads().read(platform().leaderboard.people_ranks, task=slug)


def _begin_owners_and_models(slug: str) -> tuple[Part[tuple[Owner, ...]], Part[tuple[TaskModel, ...]] | None]:
    """Start reading the owners and, for people who are signed in, the models; both need only the slug."""
    client, reads = platform(), page_reads()
    is_signed_in = session.viewer().is_signed_in
    models = reads.read(client.annotation.models, slug) if is_signed_in else None
    return reads.read(client.accounts.owners, slug), models


def _begin_boards(client: Dynabench, rounds: Sequence[Round]) -> dict[str, Part[RoundFigures]]:
    """Start reading the figures of rounds; return them by round."""
    reads = page_reads()
    return {found.round_id: reads.read(client.leaderboard.round, found.round_id) for found in rounds}


def _readable(parts: Mapping[str, Part[RoundFigures]]) -> dict[str, RoundFigures]:
    return {round_id: board for round_id, part in parts.items() if (board := part.value()) is not None}


def _of_people(rounds: Iterable[Round]) -> list[Round]:
    """Return the started rounds, without demonstrations."""
    return [found for found in started_rounds(rounds) if not found.is_demonstration]


def _activity(client: Dynabench, rounds: Sequence[Round]) -> Chart | None:
    """Return tries by day if the histories are readable, else by round."""
    reads = page_reads()
    histories = [reads.read(client.leaderboard.history, found.round_id) for found in rounds]
    by_day = tries_by_day(history for part in histories if (history := part.value()) is not None)
    if by_day:
        words = _("All rounds but demonstrations, days in UTC, without tries that have no verdict.")
        return columns("chart-activity", _("Tries per day"), words, (_("Day"), _("Tries")), by_day)
    boards = _readable(_begin_boards(client, rounds))
    by_round = tries_by_round(
        [(found.number, boards[found.round_id].tries) for found in rounds if found.round_id in boards]
    )
    headers = (_("Round"), _("Tries"))
    return columns("chart-activity", _("Tries per round"), _("All tries."), headers, by_round)
