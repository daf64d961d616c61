"""Published models: the list, and the page of one."""

from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from dynabench_client import ProblemError
from dynabench_client.results.annotation import Task
from dynabench_client.results.base import LARGEST_PAGE, Page
from dynabench_client.results.models import Evaluation, PublishedModel, Submissions
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit.configuration import rules_of
from web.kit.dependencies import platform
from web.kit.numbers import moment, size
from web.kit.parallel import Part, page_reads
from web.kit.public_examples import BEST, Wall, begin_wall, wall
from web.kit.rendering import page
from web.kit.session import viewer
from web.submissions.model_cards import fool_rate_of, models_of_task, models_of_tasks
from web.submissions.scores import evaluation_view, newest_of_each, primary_of, score_chart
from web.submissions.submission_view import card_view, model_name, submission_row, tombstone_view
from web.submissions.talking import ask_about
from web.submissions.words import POOLS

blueprint = Blueprint("submitted_models", __name__)
PAGE, MOST_PAGES = 20, 1000
MOST_TASKS = 5
NOT_FOUND = 404


@blueprint.get("/models")
@requires(Permission.READ_PUBLIC)
def get_models() -> Response:
    """Show the leading models of each task, or all of one; signed-in people also see their own submissions."""
    client, reads = platform(), page_reads()
    task, number = request.args.get("task") or None, _page_number()
    own = reads.read(client.registry.submissions, task=task, limit=PAGE) if viewer().is_signed_in else None
    waiting = _waiting(task)
    found = models_of_task(task, number) if task else models_of_tasks(number)
    mine = own.value() if own else None
    decided = [submissions for part in waiting if (submissions := part.value())]
    return page(
        "submissions/models.html",
        groups=found.groups,
        is_whole=found.is_whole,
        own=[submission_row(each) for each in mine.items] if mine else [],
        own_shown=len(mine.items) if mine and mine.next_cursor else 0,
        waiting=[submission_row(each) for submissions in decided for each in submissions.items],
        more_wait=any(submissions.next_cursor for submissions in decided),
        titles=found.titles,
        task=task or "",
        next_address=_address(task, number + 1) if found.has_more else None,
        is_first=number == 1,
    )


@blueprint.get("/models/<name>")
@requires(Permission.READ_PUBLIC)
def get_model(name: str) -> Response:
    """Show a model: card, archive, and ways to query it."""
    client, reads = platform(), page_reads()
    scored = reads.read(client.evaluations.evaluations, model=name, limit=LARGEST_PAGE)
    registered = reads.read(client.registry.published_model, name)
    begin_wall(BEST, target=name)
    try:
        found = registered.needed()
    except ProblemError as err:
        if err.status != NOT_FOUND or not (listed := scored.value()) or not listed.items:
            raise
        return _scores_alone(name, listed.items)
    tombstone = tombstone_view(found.tombstone)
    task = reads.read(client.annotation.task, found.task)
    talk = None if tombstone else ask_about(found.name, found.task, is_published=found.published)
    return page(
        "submissions/model.html",
        model=found,
        name=model_name(found),
        card=card_view(found.card),
        size=size(found.size),
        since=moment(found.deployed_at),
        kind=POOLS.get(found.pool or "", ""),
        leads_on=_is_own(found) or viewer().owns(found.task),
        talk=talk.view() if talk else None,
        tombstone=tombstone,
        wall=_wall(name, found.task, task),
        task_title=_title(task, found.task),
        **_scores(name, scored, task),
    )


def _scores_alone(name: str, found: Sequence[Evaluation]) -> Response:
    """Show a model without a submission, such as the installation's, with its scores."""
    client, reads = platform(), page_reads()
    scored = reads.read(client.evaluations.evaluations, model=name, limit=LARGEST_PAGE)
    task = reads.read(client.annotation.task, found[0].task_slug)
    talk = None if found[0].prediction_only else ask_about(name, found[0].task_slug, is_published=True)
    return page(
        "submissions/scored_model.html",
        name=name,
        task=found[0].task_slug,
        prediction_only=found[0].prediction_only,
        talk=talk.view() if talk else None,
        wall=_wall(name, found[0].task_slug, task),
        task_title=_title(task, found[0].task_slug),
        **_scores(name, scored, task),
    )


def _title(task: Part[Task], slug: str) -> str:
    return known.title or slug if (known := task.value()) else slug


def _wall(name: str, slug: str, task: Part[Task]) -> Wall:
    """Return examples that fooled the model."""
    known = task.value()
    rules = rules_of(known.configuration, slug) if known else None
    return wall(begin_wall(BEST, target=name), rules, slug=slug, model=name, order=BEST)


def _scores(name: str, scored: Part[Page[Evaluation]], task: Part[Task]) -> dict[str, Any]:
    """Return the scores for a model's page, None if they can't be read, and its fool rate."""
    listed, primary = scored.value(), primary_of(task.value())
    fool_rate = fool_rate_of(name, task.value())
    if listed is None:
        return {"scores": None, "score_chart": None, "under_way": [], "fool_rate": fool_rate}
    done = newest_of_each(listed.items, done=True)
    return {
        "scores": [evaluation_view(each, primary) for each in done],
        "score_chart": score_chart(done, primary),
        "fool_rate": fool_rate,
        "under_way": [
            evaluation_view(each, primary) for each in newest_of_each(listed.items) if each.state != "done"
        ],
    }


def _waiting(task: str | None) -> list[Part[Submissions]]:
    """Start reading the submissions that wait for the viewer's decision; for administrators, of all tasks at once."""
    read = partial(
        page_reads().read, platform().registry.submissions, mine=False, state="waiting", limit=PAGE
    )
    return [read(task=slug) for slug in _looked_after(task)]


def _looked_after(task: str | None) -> list[str | None]:
    """Return the tasks for the viewer's decisions: the requested one, else the owned ones.

    None means all tasks, which only administrators can read.
    """
    found = viewer()
    if task is not None:
        return [task] if found.owns(task) else []
    if found.principal.is_admin:
        return [None]
    return [*sorted(found.principal.owned_tasks)[:MOST_TASKS]]


def _is_own(found: PublishedModel) -> bool:
    return bool(found.submitted_by) and found.submitted_by == viewer().person_id


def _page_number() -> int:
    return min(max(request.args.get("page", 1, type=int), 1), MOST_PAGES)


def _address(task: str | None, number: int) -> str:
    return "/models?" + urlencode({**({"task": task} if task else {}), "page": number})
