"""Published models: the list, and the page of one."""

from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from dynabench_client import ProblemError
from dynabench_client.pages import LARGEST_PAGE
from dynabench_client.results.annotation import Task
from dynabench_client.results.base import Page
from dynabench_client.results.evaluations import Evaluation
from dynabench_client.results.submissions import PublishedModel, Submissions
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit.dependencies import platform
from web.kit.numbers import moment, size
from web.kit.parallel import Part, page_reads
from web.kit.rendering import page
from web.kit.session import viewer
from web.submissions.scores import evaluation_view, newest_of_each, primary_of
from web.submissions.submission_view import card_view, model_row, submission_row, tombstone_view
from web.submissions.talking import ask_about
from web.submissions.words import POOLS

blueprint = Blueprint("submitted_models", __name__)
PAGE = 20
OWNER = "owner:"
MOST_TASKS = 5
NOT_FOUND = 404


@blueprint.get("/models")
@requires(Permission.READ_PUBLIC)
def get_models() -> Response:
    """List published models; signed-in people also see their own submissions."""
    client, reads = platform(), page_reads()
    task, cursor = request.args.get("task") or None, request.args.get("cursor") or None
    own = reads.read(client.registry.submissions, task=task, limit=PAGE) if viewer().is_signed_in else None
    waiting = _waiting(task)
    tasks = reads.read(client.annotation.tasks, limit=LARGEST_PAGE)
    listed = reads.read(client.registry.published_models, task=task, limit=PAGE, cursor=cursor).needed()
    known, mine = tasks.value(), own.value() if own else None
    decided = [found for found in (part.value() for part in waiting) if found]
    titles = {found.slug: found.title or found.slug for found in known.items} if known else {}
    return page(
        "submissions/models.html",
        models=[model_row(each) for each in listed.items],
        own=[submission_row(each) for each in mine.items] if mine else [],
        own_shown=len(mine.items) if mine and mine.next_cursor else 0,
        waiting=[submission_row(each) for found in decided for each in found.items],
        more_wait=any(found.next_cursor for found in decided),
        titles=titles if task is None else {task: task, **titles},
        task=task or "",
        next_address=_address(task, listed.next_cursor) if listed.next_cursor else None,
        is_first=cursor is None,
    )


@blueprint.get("/models/<name>")
@requires(Permission.READ_PUBLIC)
def get_model(name: str) -> Response:
    """Show a model: card, archive, and ways to query it."""
    client, reads = platform(), page_reads()
    scored = reads.read(client.evaluations.evaluations, model=name, limit=LARGEST_PAGE)
    registered = reads.read(client.registry.published_model, name)
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
        row=model_row(found),
        card=card_view(found.card),
        size=size(found.size),
        since=moment(found.deployed_at),
        kind=POOLS.get(found.pool or "", ""),
        leads_on=_is_own(found) or viewer().owns(found.task),
        talk=talk.view() if talk else None,
        tombstone=tombstone,
        **_scores(scored, task),
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
        **_scores(scored, task),
    )


def _scores(scored: Part[Page[Evaluation]], task: Part[Task]) -> dict[str, Any]:
    """Return the scores for a model's page; None if they can't be read."""
    listed, primary = scored.value(), primary_of(task.value())
    if listed is None:
        return {"scores": None, "under_way": []}
    return {
        "scores": [evaluation_view(each, primary) for each in newest_of_each(listed.items, done=True)],
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
    roles = sorted(role for role in found.principal.roles if role.startswith(OWNER))
    return [role.removeprefix(OWNER) for role in roles[:MOST_TASKS]]


def _is_own(found: PublishedModel) -> bool:
    return bool(found.submitted_by) and found.submitted_by == viewer().person_id


def _address(task: str | None, cursor: str) -> str:
    return "/models?" + urlencode({**({"task": task} if task else {}), "cursor": cursor})
