"""A person's own tries: the list, and the author's actions on a try after its verdict."""

from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode
from uuid import UUID

from dynabench_client.results.annotation import Example
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, abort, make_response, render_template, request

from web.create.form import tally_view
from web.create.page import begin_counts, confirmed_tries, create_page, show
from web.create.received_votes import received_votes
from web.create.try_view import try_view
from web.kit import form, isolation, session
from web.kit.badges import badge_views
from web.kit.configuration import task_rules
from web.kit.content_notice import notice_before
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.outcomes import attempt, optional
from web.kit.parallel import optional_all, page_reads, round_and_task
from web.kit.problems import ProblemView
from web.kit.questions import (
    after_verdict,
    filled_metadata,
    metadata_questions,
    passages_in,
    read_metadata,
    texts_of,
    words_of,
)
from web.kit.rendering import go_to, page
from web.kit.rounds import round_view
from web.kit.security import safe_return

PAGE = 20

blueprint = Blueprint("tries", __name__)


@dataclass(frozen=True)
class RefusedAppeal:
    """A refused appeal, to show again in its form."""

    example_id: str
    reason: str
    problem: ProblemView


@blueprint.get("/rounds/<uuid:round_id>/tries")
@requires(Permission.USE_OWN_PAGES)
def get_tries(round_id: UUID) -> Response:
    """List the person's own tries in a round, newest first, with their resolutions."""
    return _list(str(round_id), request.args.get("cursor"))


@blueprint.get("/rounds/<uuid:round_id>/tries/<uuid:example_id>")
@requires(Permission.USE_OWN_PAGES)
def get_try(round_id: UUID, example_id: UUID) -> Response:
    """Show one of the person's tries, to explain and inspect it, in any state of the round."""
    example = platform().annotation.example(str(example_id))
    if example.round_id != str(round_id) or example.author_id != session.viewer().person_id:
        abort(404)
    return _one(example)


@blueprint.get("/rounds/<uuid:round_id>/tries/<uuid:example_id>/badges")
@requires(Permission.USE_OWN_PAGES)
def get_badges(round_id: UUID, example_id: UUID) -> Response:
    """Send the badges that a new try earned, as a part of its page; nothing if they can't be read."""
    earned = optional(platform().leaderboard.my_badges)
    new = [each for each in earned.items if each.example_id == str(example_id)] if earned else []
    return make_response(
        render_template("create/new_badges.html", badges=badge_views(new), round_id=round_id)
    )


@blueprint.post("/examples/<uuid:example_id>/appeal")
@requires(Permission.APPEAL)
def post_appeal(example_id: UUID) -> Response:
    """Appeal against the resolution of the person's own example, once."""
    reason = form.text("reason")
    outcome = attempt(lambda: platform().validation.appeal(str(example_id), reason))
    example = platform().annotation.example(str(example_id))
    if outcome.problem is not None:
        refused = RefusedAppeal(str(example_id), reason, outcome.problem)
        return _list(example.round_id, request.form.get("cursor"), refused)
    return go_to(_back(example), "appealed")


@blueprint.post("/examples/<uuid:example_id>/retraction")
@requires(Permission.CHANGE_OWN_EXAMPLE)
def post_retraction(example_id: UUID) -> Response:
    """Retract the person's own example. This is final."""
    example = platform().annotation.retract(str(example_id), form.key())
    return go_to(_back(example), "retracted")


@blueprint.post("/examples/<uuid:example_id>/explanations")
@requires(Permission.CHANGE_OWN_EXAMPLE)
def post_explanations(example_id: UUID) -> Response:
    """Store the reasons for the label and for the model's error."""
    given = {name: form.text(name) for name in ("label", "model")}
    example = platform().annotation.explain_example(str(example_id), **given)
    return go_to(_back(example), "explained")


@blueprint.post("/examples/<uuid:example_id>/decision")
@requires(Permission.CHANGE_OWN_EXAMPLE)
def post_decision(example_id: UUID) -> Response:
    """Decide which answers are wrong, if the task leaves that to the author."""
    wrong = [name for name in request.form.getlist("target") if request.form.get(f"wrong.{name}") == "yes"]
    unsaid = [name for name in request.form.getlist("target") if not request.form.get(f"wrong.{name}")]
    if unsaid:
        detail = _(
            "You have not said whether the answer of %(targets)s is wrong.", targets=isolation.names(unsaid)
        )
        problem = ProblemView(422, _("Not decided yet"), detail, _("Decide about every answer."))
        return _show_again(example_id, problem)
    outcome = attempt(lambda: platform().annotation.decide(str(example_id), wrong))
    if outcome.value is None:
        return _show_again(example_id, outcome.problem)
    return go_to(_back(outcome.value), "decided")


@blueprint.post("/examples/<uuid:example_id>/metadata")
@requires(Permission.CHANGE_OWN_EXAMPLE)
def post_metadata(example_id: UUID) -> Response:
    """Store answers to the additional questions on an example; earlier answers stay."""
    client = platform()
    example = client.annotation.example(str(example_id))
    rules = task_rules(client.annotation.task(example.task_slug))
    number = client.annotation.round(example.round_id).number
    reading = read_metadata(
        after_verdict(rules, example, number),
        number,
        {"verdict": frozenset({example.verdict}), "claimed": words_of(example.claimed)},
        form.entered(),
        texts_of(rules, example.context, example.input),
    )
    if reading.problem is not None:
        return _show_again(example_id, reading.problem)
    given = {**example.metadata, **reading.values}
    outcome = attempt(lambda: client.annotation.set_metadata(str(example_id), given))
    if outcome.value is None:
        return _show_again(example_id, outcome.problem)
    return go_to(_back(outcome.value), "described")


def _list(round_id: str, cursor: str | None, refused: RefusedAppeal | None = None) -> Response:
    """Show a page of the person's own tries, with a refused appeal if there is one."""
    client, reads = platform(), page_reads()
    mine = begin_counts(round_id)
    listed = reads.read(client.annotation.examples, round_id, limit=PAGE, cursor=cursor or None)
    found, task = round_and_task(round_id)
    rules = task_rules(task)
    notice = notice_before(rules)
    if notice is not None:
        return notice
    tries = listed.needed()
    voted = optional_all([partial(client.validation.votes, example.example_id) for example in tries.items])
    return page(
        "create/tries.html",
        refused.problem.status if refused else 200,
        round=round_view(found),
        task=rules,
        tries=[
            (try_view(example, rules, votes), received_votes(votes, example, rules, found.state))
            for example, votes in zip(tries.items, voted, strict=True)
        ],
        next_cursor=tries.next_cursor,
        is_first=not cursor,
        cursor=cursor or "",
        list_address=f"/rounds/{round_id}/tries" + (f"?{urlencode({'cursor': cursor})}" if cursor else ""),
        tally=tally_view(mine.value(), confirmed_tries(round_id)),
        refused=refused,
    )


def _one(example: Example, problem: ProblemView | None = None) -> Response:
    """Show a single try with a problem."""
    found, task = round_and_task(example.round_id)
    rules = task_rules(task)
    notice = notice_before(rules)
    if notice is not None:
        return notice
    pair = example.perturbation_of
    original = optional(lambda: platform().annotation.example(pair)) if pair else None
    asked = after_verdict(rules, example, found.number)
    passages = passages_in(rules, example.context)
    return page(
        "create/try.html",
        problem.status if problem else 200,
        round=round_view(found),
        task=rules,
        markable=passages,
        view={
            "verdict": try_view(example, rules, original=original),
            "is_verdict_new": False,
            "is_verdict_here": True,
            "streak": "",
            "problem": problem,
            "questions": metadata_questions(
                asked, filled_metadata(asked, example.metadata), passages=passages, problem=problem
            ),
            "context": None,
        },
        back=try_address(example),
    )


def try_address(example: Example) -> str:
    """Return the address of a single try."""
    return f"/rounds/{example.round_id}/tries/{example.example_id}"


def _show_again(example_id: UUID, problem: ProblemView | None) -> Response:
    """Show the example with a problem: on its own page, or on the page for writing."""
    example = platform().annotation.example(str(example_id))
    if request.form.get("back") == try_address(example):
        return _one(example, problem)
    return show(create_page(example.round_id).refused(problem, example))


def _back(example: Example) -> str:
    given = request.form.get("back")
    return safe_return(given) if given else f"/rounds/{example.round_id}/create?example={example.example_id}"
