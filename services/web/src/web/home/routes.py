"""The front page: for visitors a try, an introduction and results; for members the outcome of their work."""

from collections.abc import Iterable

from dynabench_client.results.annotation import FrontAnswer, TaskSummary
from dynabench_client.results.base import Page
from dynabench_client.results.leaderboard import TaskHeadline
from dynabench_common.auth.permissions import Permission, is_allowed, requires
from flask import Blueprint, Response, request

from web.home.dashboard import assigned_things, next_things, week_view
from web.home.front_try import front_try
from web.home.own_work import own_rounds, totals
from web.home.results import NEWEST_DATASETS, results
from web.home.task_cards import TaskCard, task_cards
from web.kit import session
from web.kit.assigned_work import begin_own_orders, begin_progress, order_view
from web.kit.dependencies import platform
from web.kit.notification_text import newest_position, notifications
from web.kit.outcomes import Outcome, attempt
from web.kit.parallel import Part, page_reads
from web.kit.public_examples import BEST, begin_wall, wall
from web.kit.rendering import go_to, page
from web.kit.rounds import by_activity
from web.kit.security import HOME
from web.kit.signing import sender_address

MOST_TASKS = 200
MOST_OWN_ROUNDS = 6
MOST_NEWS = 3
LABEL_CHARACTERS = 200
Listed = tuple[Part[Page[TaskSummary]], Part[Page[TaskHeadline]]]

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
@requires(Permission.USE_PAGES)
def get_home() -> Response:
    """Show visitors the introduction, members their own work, and both the tasks."""
    viewer = session.viewer()
    if not viewer.is_signed_in:
        return _front_page()
    client, reads, listed = platform(), page_reads(), _listed()
    own = reads.read(client.leaderboard.my_rounds)
    own_week = reads.read(client.leaderboard.my_week)
    to_check = reads.read(client.validation.waiting_for_me)
    news = reads.read(client.accounts.notices, limit=MOST_NEWS)
    assigned = begin_own_orders()
    mine, week, found = own.value(), own_week.value(), news.value()
    fresh = [notice for notice in found.items if notice.read_at is None] if found else []
    open_tasks, other_tasks = _by_activity(listed)
    orders = (assigned.value() if assigned else None) or ()
    progress = [order_view(*each) for each in zip(orders, begin_progress(orders), strict=True)]
    all_tasks = open_tasks + other_tasks
    return page(
        "home/page.html",
        next_things=[
            *assigned_things(all_tasks, zip(orders, progress, strict=True)),
            *next_things(all_tasks, mine or (), to_check.value() or ()),
        ],
        week=week_view(week) if week else None,
        open_tasks=_cards(open_tasks, listed),
        other_tasks=_cards(other_tasks, listed),
        totals=totals(mine or ()),
        own_rounds=own_rounds((mine or ())[:MOST_OWN_ROUNDS]),
        more_rounds=max(0, len(mine or ()) - MOST_OWN_ROUNDS),
        news=notifications(fresh),
        up_to=newest_position(fresh),
        unread_notices=found.unread if found else 0,
        may_create=is_allowed(Permission.CREATE_TASK, viewer.principal),
    )


@blueprint.get("/tasks")
@requires(Permission.USE_PAGES)
def get_tasks() -> Response:
    """Redirect to the list of tasks on the front page."""
    return go_to(HOME)


@blueprint.get("/first-try")
@requires(Permission.USE_PAGES)
def get_first_try() -> Response:
    """Redirect to the form, after a reload of a try's answer."""
    return go_to(HOME)


@blueprint.post("/first-try")
@requires(Permission.USE_PAGES)
def post_first_try() -> Response:
    """Ask the model for visitors. The text stays in the form and is not stored."""
    if session.viewer().is_signed_in:
        return go_to(HOME)
    text = request.form.get("text", "").replace("\r\n", "\n")
    claimed = request.form.get("claimed", "")[:LABEL_CHARACTERS]
    client = platform()
    outcome: Outcome[FrontAnswer] = attempt(
        lambda: client.annotation.ask_front_model(text, claimed, address=sender_address())
    )
    return _front_page(text, claimed, outcome)


def _front_page(text: str = "", claimed: str = "", outcome: Outcome[FrontAnswer] | None = None) -> Response:
    """Return the front page, after a try with its result."""
    client, reads, listed = platform(), page_reads(), _listed()
    model, examples = reads.read(client.annotation.front_model), begin_wall(BEST)
    datasets = reads.read(client.datasets.datasets, limit=NEWEST_DATASETS)
    tried = outcome or Outcome()
    response = page(
        "home/front.html",
        tried.problem.status if tried.problem else 200,
        tasks=_cards(listed[0].needed().items, listed),
        results=results(listed[1].value(), datasets.value()),
        wall=wall(examples, order=BEST),
        try_=front_try(model.value(), text=text, claimed=claimed, answer=tried.value, problem=tried.problem),
        may_create=False,
    )
    if tried.problem and tried.problem.retry_after is not None:
        response.headers["Retry-After"] = str(tried.problem.retry_after)
    return response


def _listed() -> Listed:
    """Start reading the tasks and their figures."""
    client, reads = platform(), page_reads()
    return (
        reads.read(client.annotation.tasks, limit=MOST_TASKS),
        reads.read(client.leaderboard.tasks, limit=MOST_TASKS),
    )


def _by_activity(listed: Listed) -> tuple[list[TaskSummary], list[TaskSummary]]:
    headlines = listed[1].value()
    return by_activity(listed[0].needed().items, headlines.items if headlines else ())


def _cards(tasks: Iterable[TaskSummary], listed: Listed) -> list[TaskCard]:
    headlines = listed[1].value()
    return task_cards(tasks, headlines.items if headlines else ())
