"""All examples of a round: the list, and one example with its history."""

from functools import partial
from urllib.parse import urlencode
from uuid import UUID

from dynabench_client.results.annotation import Example
from dynabench_client.results.validation import ExampleVotes
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.problems import not_found
from flask import Blueprint, Response, request

from web.kit.dependencies import platform
from web.kit.outcomes import Outcome, attempt
from web.kit.owned_round import OwnedRound, owned_round
from web.kit.parallel import page_reads
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page
from web.kit.votes import vote_kind
from web.owner_work.example_view import blind_view, example_view
from web.owner_work.examples_view import FILTERS, example_filters, example_row, filter_choices

PAGE = 25
VOTE_OPEN = "vote-open"

blueprint = Blueprint("round_examples", __name__, url_prefix="/tasks/<slug>/rounds/<int:number>/examples")


@blueprint.get("")
@requires(Permission.ADJUDICATE)
def get_examples(slug: str, number: int) -> Response:
    """List the round's examples, the newest first, by the filters in the address."""
    owned, filters = owned_round(Permission.ADJUDICATE, slug, number), example_filters(request.args)
    cursor, kind = request.args.get("cursor"), vote_kind(owned.task.configuration)
    listed = platform().validation.round_examples(
        owned.round_id,
        text=filters.get("text"),
        verdict=filters.get("verdict"),
        became=filters.get("became"),
        tag=filters.get("tag"),
        author_id=filters.get("author_id"),
        disagreement=filters.get("disagreement"),
        limit=PAGE,
        cursor=cursor,
    )
    address = owned.address("examples")
    return page(
        "owner_work/examples.html",
        **owned.views(),
        items=[example_row(item, owned.rules, kind, address) for item in listed.items],
        choices=filter_choices(),
        chosen={name: filters.get(name, "") for name in FILTERS},
        is_filtered=bool(filters),
        may_ask=owned.round.state != "released",
        place=_place(filters, cursor),
        first_address=address + _place(filters, None),
        next_address=address + _place(filters, listed.next_cursor) if listed.next_cursor else "",
        is_first=not cursor,
    )


@blueprint.get("/<uuid:example_id>")
@requires(Permission.ADJUDICATE)
def get_example(slug: str, number: int, example_id: UUID) -> Response:
    """Show an example with its history, as far as the reader may see it."""
    return _example_page(owned_round(Permission.ADJUDICATE, slug, number), str(example_id))


@blueprint.post("/<uuid:example_id>/abstention")
@requires(Permission.ADJUDICATE)
def post_abstention(slug: str, number: int, example_id: UUID) -> Response:
    """Give up the person's vote on the example, to see its claim and votes."""
    owned = owned_round(Permission.ADJUDICATE, slug, number)
    done = attempt(partial(platform().validation.give_up_vote, str(example_id)))
    if done.problem is not None:
        return _example_page(owned, str(example_id), done.problem)
    return go_to(owned.address("examples", str(example_id)) + _here(), "vote-given-up")


def _example_page(owned: OwnedRound, example_id: str, problem: ProblemView | None = None) -> Response:
    client, reads = platform(), page_reads()
    reading = reads.read(client.annotation.example, example_id)
    voting = reads.read(client.validation.votes, example_id)
    example = _of_round(reading.needed(), owned)
    votes: Outcome[ExampleVotes] = attempt(voting.needed)
    is_blind = votes.problem is not None and votes.problem.slug == VOTE_OPEN
    kind = vote_kind(owned.task.configuration)
    shown = (
        blind_view(example, owned.rules)
        if is_blind
        else example_view(example, votes.value, owned.rules, kind)
    )
    return page(
        "owner_work/example.html",
        problem.status if problem else 200,
        **owned.views(),
        example=shown,
        is_blind=is_blind,
        unread=None if is_blind else votes.problem,
        place=_here(),
        problem=problem,
    )


def _of_round(found: Example, owned: OwnedRound) -> Example:
    if found.round_id != owned.round_id:
        raise not_found("example", "example_id")
    return found


def _here() -> str:
    return _place(example_filters(request.args), request.args.get("cursor"))


def _place(filters: dict[str, str], cursor: str | None) -> str:
    """Return the query string of a position in the list; empty for its beginning."""
    chosen = {**filters, **({"cursor": cursor} if cursor else {})}
    return "?" + urlencode(chosen) if chosen else ""
