"""The first page: for a stranger what this is and what came of it; for a member what became of their own work."""

from dynabench_common.permissions import Permission, is_allowed, requires
from flask import Blueprint, Response

from web.home.own_work import own_rounds, totals
from web.home.results import NEWEST_DATASETS, results
from web.home.task_cards import task_cards
from web.kit import session
from web.kit.dependencies import platform
from web.kit.parallel import page_reads
from web.kit.rendering import page
from web.kit.told import newest_position, told

MOST_TASKS = 200
MOST_OWN_ROUNDS = 6
MOST_NEWS = 3

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
@requires(Permission.USE_PAGES)
def get_home() -> Response:
    """Show a stranger the front page, a member their own work, and the tasks to both."""
    client, reads, viewer = platform(), page_reads(), session.viewer()
    listed = reads.read(client.annotation.tasks, limit=MOST_TASKS)
    figures = reads.read(client.leaderboard.tasks, limit=MOST_TASKS)
    if not viewer.is_signed_in:
        datasets = reads.read(client.datasets.datasets, limit=NEWEST_DATASETS)
        headlines = figures.value()
        return page(
            "home/front.html",
            tasks=task_cards(listed.needed().items, headlines.items if headlines else ()),
            results=results(headlines, datasets.value()),
            may_create=False,
        )
    own = reads.read(client.leaderboard.my_rounds)
    news = reads.read(client.accounts.notices, limit=MOST_NEWS)
    headlines, mine, found = figures.value(), own.value(), news.value()
    fresh = [notice for notice in found.items if notice.read_at is None] if found else []
    return page(
        "home/page.html",
        tasks=task_cards(listed.needed().items, headlines.items if headlines else ()),
        is_known=mine is not None,
        totals=totals(mine or ()),
        own_rounds=own_rounds((mine or ())[:MOST_OWN_ROUNDS]),
        more_rounds=max(0, len(mine or ()) - MOST_OWN_ROUNDS),
        news=told(fresh),
        up_to=newest_position(fresh),
        unread_notices=found.unread if found else 0,
        may_create=is_allowed(Permission.CREATE_TASK, viewer.principal),
    )
