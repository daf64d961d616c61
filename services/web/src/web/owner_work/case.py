"""Decision on one example of the owner's queue, and its reversal. After a decision the next example follows."""

from dataclasses import dataclass
from functools import partial
from uuid import UUID

from dynabench_client import ProblemError
from dynabench_client.results.annotation import Example
from dynabench_client.results.validation import ExampleResolution, WorkItem
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.problems import not_found
from dynabench_tasks.values import Value
from flask import Blueprint, Response, request

from web.kit import fields, form
from web.kit.dependencies import platform
from web.kit.fields import Asking, Unreadable
from web.kit.language import _
from web.kit.outcomes import Outcome, attempt, optional
from web.kit.owned_round import OwnedRound, owned_round
from web.kit.problems import ProblemView
from web.kit.questions import refusal, texts_of
from web.kit.rendering import go_to, page
from web.kit.round_actions import given_reason
from web.kit.votes import vote_kind
from web.owner_work.case_view import case_view, decision_form
from web.owner_work.examples import VOTE_OPEN
from web.owner_work.options import FLAG, JUDGEMENT, VALUE, asked_field, posterior_words
from web.owner_work.queue import example_ids, listed_work, place
from web.owner_work.queue_view import filters_of

OPTION = "option:"

blueprint = Blueprint(
    "decisions", __name__, url_prefix="/tasks/<slug>/rounds/<int:number>/work/<uuid:example_id>"
)


@dataclass(frozen=True)
class Decision:
    """The owner's answer in place of all voters."""

    kind: str
    value: Value | None = None


@dataclass(frozen=True)
class Neighbours:
    """The example's entry in the queue and the next one; None if it is not in the queue."""

    item: WorkItem | None
    following: str


@blueprint.get("")
@requires(Permission.ADJUDICATE)
def get_case(slug: str, number: int, example_id: UUID) -> Response:
    """Show an example with its votes, and ask for a decision."""
    owned = owned_round(Permission.ADJUDICATE, slug, number)
    return _case_page(owned, _example(owned, example_id))


@blueprint.post("")
@requires(Permission.ADJUDICATE)
def post_decision(slug: str, number: int, example_id: UUID) -> Response:
    """Decide the example, and go on to the next."""
    owned = owned_round(Permission.ADJUDICATE, slug, number)
    example = _example(owned, example_id)
    outcome = _decide(owned, example)
    if outcome.value is None:
        return _case_page(owned, example, outcome.problem)
    return _go_on(owned, example)


@blueprint.post("/reversal")
@requires(Permission.ADJUDICATE)
def post_reversal(slug: str, number: int, example_id: UUID) -> Response:
    """Reverse the decision: the votes decide again, or the example waits for more."""
    owned = owned_round(Permission.ADJUDICATE, slug, number)
    example = _example(owned, example_id)
    outcome = attempt(lambda: platform().validation.reverse_adjudication(example.example_id))
    if outcome.value is None:
        return _case_page(owned, example, outcome.problem)
    return go_to(owned.address("work", example.example_id) + _place(), "reversed")


@blueprint.post("/duplicate-overruling")
@requires(Permission.MANAGE_TASK)
def post_duplicate_overruling(slug: str, number: int, example_id: UUID) -> Response:
    """Count the example although an earlier one has an equal text."""
    owned = owned_round(Permission.MANAGE_TASK, slug, number)
    example = _example(owned, example_id)
    reason = given_reason(_("Give a reason, for the author and the audit log."))
    if reason.value is None:
        return _case_page(owned, example, reason.problem)
    said = reason.value
    outcome = attempt(lambda: platform().annotation.overrule_duplicate(example.example_id, said))
    if outcome.value is None:
        return _case_page(owned, example, outcome.problem)
    return go_to(owned.address("work", example.example_id) + _place(), "duplicate-overruled")


def _example(owned: OwnedRound, example_id: UUID) -> Example:
    """Return the example. Raises Problem 404 for one of another round."""
    found = platform().annotation.example(str(example_id))
    if found.round_id != owned.round_id:
        raise not_found("example", "example_id")
    return found


def _decide(owned: OwnedRound, example: Example) -> Outcome[ExampleResolution]:
    decision = _read_decision(owned, example)
    if decision.value is None:
        return Outcome(problem=decision.problem)
    reason = given_reason(_("Give a reason, for the author and the audit log."))
    if reason.value is None:
        return Outcome(problem=reason.problem)
    kind, value, said = decision.value.kind, decision.value.value, reason.value
    return attempt(lambda: platform().validation.adjudicate(example.example_id, kind, said, value=value))


def _read_decision(owned: OwnedRound, example: Example) -> Outcome[Decision]:
    choice, kind = request.form.get("choice", ""), vote_kind(owned.task.configuration)
    if choice == FLAG:
        return Outcome(Decision(FLAG))
    if choice.startswith(OPTION):
        return Outcome(Decision(kind, choice.removeprefix(OPTION)))
    field = asked_field(owned.rules)
    value = None
    if kind != JUDGEMENT and not field.is_one_label:
        try:
            texts = texts_of(owned.rules, example.context, example.input)
            value = fields.read(field, Asking(control=VALUE, entered=form.entered()), texts)
        except Unreadable as err:
            return Outcome(problem=refusal(VALUE, err.reason, err.remedy))
    if value is None:
        return Outcome(
            problem=refusal(VALUE, _("The decision is missing."), _("Choose an answer, or flag the example."))
        )
    return Outcome(Decision(kind, value))


def _go_on(owned: OwnedRound, example: Example) -> Response:
    """Redirect to the next example, or to the first of the queue."""
    following = next(iter(example_ids([form.text("next")])), "") or _first(owned, example.example_id)
    if not following:
        return go_to(owned.address("work") + place(_filters(), None), "adjudicated-last")
    return go_to(owned.address("work", following) + _place(), "adjudicated")


def _first(owned: OwnedRound, example_id: str) -> str:
    listed = optional(partial(listed_work, owned, _filters(), None))
    items = listed.items if listed else ()
    return next((item.example_id for item in items if item.example_id != example_id), "")


def _case_page(owned: OwnedRound, example: Example, problem: ProblemView | None = None) -> Response:
    """Show the example to decide. People who may still vote on it are redirected to its page."""
    try:
        votes = platform().validation.votes(example.example_id)
    except ProblemError as err:
        if err.slug != VOTE_OPEN:
            raise
        return go_to(owned.address("examples", example.example_id))
    kind, rules = vote_kind(owned.task.configuration), owned.rules
    choice = request.form.get("choice", "").removeprefix(OPTION)
    neighbours = _neighbours(owned, example.example_id)
    return page(
        "owner_work/case.html",
        problem.status if problem else 200,
        **owned.views(),
        case=case_view(example, votes, rules, kind),
        form=decision_form(rules, kind, form.entered(), choice, request.form.get("reason", ""), problem),
        posterior=posterior_words(neighbours.item, rules, kind),
        following=neighbours.following,
        place=_place(),
        problem=problem,
    )


def _neighbours(owned: OwnedRound, example_id: str) -> Neighbours:
    listed = optional(partial(listed_work, owned, _filters(), request.args.get("cursor")))
    items = listed.items if listed else ()
    for position, item in enumerate(items):
        if item.example_id == example_id:
            rest = items[position + 1 :]
            return Neighbours(item, rest[0].example_id if rest else "")
    return Neighbours(None, items[0].example_id if items else "")


def _filters() -> dict[str, str]:
    return filters_of(request.args)


def _place() -> str:
    return place(_filters(), request.args.get("cursor"))
