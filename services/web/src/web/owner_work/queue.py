"""The owner's queue: disputed, flagged, appealed or doubtful examples, and requeueing."""

from functools import partial
from urllib.parse import urlencode
from uuid import UUID

from dynabench_client.results.base import Page
from dynabench_client.results.validation import WorkItem
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.numbers import count
from web.kit.outcomes import attempt
from web.kit.owned_round import OwnedRound, owned_round
from web.kit.parallel import ParallelFetch
from web.kit.problems import ProblemView
from web.kit.questions import refusal
from web.kit.rendering import go_to, page
from web.kit.round_actions import WORK_KINDS, given_reason, waiting
from web.kit.votes import vote_kind
from web.owner_work.queue_view import DISAGREEMENTS, FILTERS, filters_of, label_options, work_item_view

PAGE = 20
MOST_REQUEUED = 200

blueprint = Blueprint("owner_work", __name__, url_prefix="/tasks/<slug>/rounds/<int:number>/work")


@blueprint.get("")
@requires(Permission.ADJUDICATE)
def get_work(slug: str, number: int) -> Response:
    """List the queue, by the filters in the address."""
    owned = owned_round(Permission.ADJUDICATE, slug, number)
    client, filters = platform(), filters_of(request.args)
    with ParallelFetch() as parts:
        counting = parts.read(partial(client.validation.work_counts, owned.round_id))
        listed = listed_work(owned, filters, request.args.get("cursor"))
        counts = counting.value()
    waits = waiting(counts) if counts else {}
    kind = vote_kind(owned.task.configuration)
    return page(
        "owner_work/queue.html",
        **owned.views(),
        items=[work_item_view(item, owned.rules, kind) for item in listed.items],
        kinds=[(name, _(words[0]), count(waits.get(name))) for name, words in WORK_KINDS.items()],
        chosen={name: filters.get(name, "") for name in FILTERS},
        is_filtered=bool(filters),
        labels=label_options(owned.rules),
        disagreements={name: _(words) for name, words in DISAGREEMENTS.items()},
        place=place(filters, request.args.get("cursor")),
        next_address=_next_address(owned, filters, listed.next_cursor),
        is_first=not request.args.get("cursor"),
    )


@blueprint.get("/requeue")
@requires(Permission.ADJUDICATE)
def get_requeue(slug: str, number: int) -> Response:
    """Preview the requeueing of the chosen examples."""
    owned = owned_round(Permission.ADJUDICATE, slug, number)
    return _requeue_page(owned, example_ids(request.args.getlist("example_id")))


@blueprint.post("/requeue")
@requires(Permission.ADJUDICATE)
def post_requeue(slug: str, number: int) -> Response:
    """Requeue the chosen examples: set their votes aside and wait for new ones."""
    owned = owned_round(Permission.ADJUDICATE, slug, number)
    chosen = example_ids(request.form.getlist("example_id"))
    reason = given_reason(_("Give a reason why the earlier votes don't decide."))
    if not chosen:
        problem = refusal("example_id", _("No example is chosen."), _("Choose examples in the list."))
        return _requeue_page(owned, chosen, problem)
    if reason.value is None:
        return _requeue_page(owned, chosen, reason.problem)
    said = reason.value
    outcome = attempt(lambda: platform().validation.requeue(owned.round_id, chosen, said))
    if outcome.value is None:
        return _requeue_page(owned, chosen, outcome.problem)
    return go_to(owned.address("work"), "requeued")


def listed_work(owned: OwnedRound, filters: dict[str, str], cursor: str | None) -> Page[WorkItem]:
    """Return a page of the queue; without a kind, with examples of all kinds."""
    return platform().validation.work(
        owned.round_id,
        kind=filters.get("kind"),
        claimed=filters.get("claimed"),
        agreed=filters.get("agreed"),
        disagreement=filters.get("disagreement"),
        limit=PAGE,
        cursor=cursor,
    )


def place(filters: dict[str, str], cursor: str | None) -> str:
    """Return the query string of a position in the queue; empty for its beginning."""
    chosen = {**filters, **({"cursor": cursor} if cursor else {})}
    return "?" + urlencode(chosen) if chosen else ""


def _next_address(owned: OwnedRound, filters: dict[str, str], cursor: str | None) -> str:
    return owned.address("work") + place(filters, cursor) if cursor else ""


def example_ids(given: list[str]) -> list[str]:
    """Return the distinct ids in a form, without invalid texts."""
    found = []
    for text in given[:MOST_REQUEUED]:
        try:
            found.append(str(UUID(text)))
        except ValueError:
            continue
    return list(dict.fromkeys(found))


def _requeue_page(owned: OwnedRound, chosen: list[str], problem: ProblemView | None = None) -> Response:
    return page(
        "owner_work/requeue.html",
        problem.status if problem else 200,
        **owned.views(),
        chosen=chosen,
        number=count(len(chosen)),
        reason=request.form.get("reason", ""),
        problem=problem,
    )
