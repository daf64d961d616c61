"""The page on which a person writes examples. The server decides every verdict; this page only shows it.

One form holds all that the person has in hand, and its buttons say what to do with it, so that nothing typed is
lost on the way. After a try the browser is sent to an address that names the example: reloading it sends nothing
again.
"""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID, uuid4

from dynabench_client.results.annotation import Answers, Assignment, Example, Similar
from dynabench_client.values import Value, Values
from dynabench_common.permissions import Permission, requires
from flask import Blueprint, Response, make_response, render_template, request

from web.create.form import HELP, MARGIN, notes_view
from web.create.page import Work, needing_reason, show, work_on
from web.kit import form, session
from web.kit.answers import answer_view
from web.kit.content_notice import notice_before
from web.kit.dependencies import platform
from web.kit.outcomes import Outcome, attempt, optional
from web.kit.problems import ProblemView
from web.kit.questions import (
    Reading,
    before_submit,
    circumstances_before,
    read_input,
    read_metadata,
    texts_of,
)
from web.kit.rendering import go_to

SAME_KEY = {"idempotency-key-in-use", "service-unreachable"}
CONTEXT_CHANGED = ProblemView(
    409,
    "You have another context in hand now",
    "Another window has asked for it, so what you marked can't be found.",
    "What you wrote is still here; mark the answer in the context that is shown now.",
    slug="context-changed",
)

blueprint = Blueprint("create", __name__)


@blueprint.get("/rounds/<uuid:round_id>/create")
@requires(Permission.CREATE_EXAMPLE)
def get_create(round_id: UUID) -> Response:
    """Show the form with the person's context; after a try, the verdict; with `edit`, the smallest edit of one."""
    work = work_on(str(round_id))
    notice = notice_before(work.rules)
    if notice is not None:
        return notice
    verdict, perturbed = (_own_example(name, work) for name in ("example", "edit"))
    hand = replace(work.hand, hint=HELP if request.args.get("hint") == "1" else "", perturbed=perturbed)
    return show(replace(work, hand=hand, verdict=verdict))


@blueprint.post("/rounds/<uuid:round_id>/create")
@requires(Permission.CREATE_EXAMPLE)
def post_create(round_id: UUID) -> Response:
    """Do with the form what its button says: submit it, try it, show the hints, or give another context."""
    work = _in_hand(work_on(str(round_id)))
    action = request.form.get("action", "submit")
    if request.form.get("resumed"):
        return show(work)
    if action == "hint":
        return show(replace(work, hand=replace(work.hand, hint=HELP)))
    if action == "another":
        return _another(work)
    if action == "probe":
        return _probe(work)
    return _submit(work)


@blueprint.post("/rounds/<uuid:round_id>/create/notes")
@requires(Permission.USE_PAGES)
def post_notes(round_id: UUID) -> Response:
    """Tell what one's text changes and resembles, while it is written; whatever fails is left out in silence."""
    outcome: Outcome[Work] = Outcome()
    if session.viewer().is_signed_in:
        outcome = attempt(lambda: _in_hand(work_on(str(round_id))), even_unauthorised=True)
    if outcome.value is None:
        return make_response("", 204)
    work = outcome.value
    context_id = request.form.get("context_id", "")
    assigned = optional(lambda: platform().annotation.assign(work.round.round_id))
    if assigned is not None and assigned.context.context_id != context_id:
        assigned = None
    written = _written(work, assigned)
    notes = notes_view(work.rules, assigned, written, _similar(work, context_id, written))
    return make_response(render_template("create/notes.html", notes=notes, round_id=work.round.round_id))


@blueprint.post("/rounds/<uuid:round_id>/create/flag")
@requires(Permission.FLAG_CONTEXT)
def post_flag(round_id: UUID) -> Response:
    """Report the context and go on with another."""
    context_id, reason = request.form.get("context_id", ""), form.text("reason")
    outcome = attempt(lambda: platform().annotation.flag_context(context_id, reason))
    if outcome.problem is not None:
        return show(work_on(str(round_id)).refused(outcome.problem))
    optional(lambda: platform().annotation.assign(str(round_id), context_id))
    return go_to(f"/rounds/{round_id}/create", "flagged")


def _own_example(name: str, work: Work) -> Example | None:
    """Return the example that the address or the form names, if it is of this round."""
    example_id = request.values.get(name)
    found = optional(lambda: platform().annotation.example(example_id)) if example_id else None
    return found if found and found.round_id == work.round.round_id else None


def _in_hand(work: Work) -> Work:
    """Return the work with what the form holds."""
    hint = request.form.get("hint_shown", "")
    hand = replace(
        work.hand,
        held=form.held(),
        key=form.key(),
        hint=hint if hint in {HELP, MARGIN} else "",
        perturbed=_own_example("perturbation_of", work),
    )
    return replace(work, hand=hand)


def _submit(work: Work) -> Response:
    reading, metadata = _read(work)
    problem = reading.problem or metadata.problem
    if problem is not None:
        return _again(work, problem)
    hand = work.hand
    outcome = attempt(
        lambda: platform().annotation.create_example(
            work.round.round_id,
            request.form.get("context_id", ""),
            reading.values,
            hint_shown=bool(hand.hint),
            metadata=metadata.values or None,
            perturbation_of=hand.perturbed.example_id if hand.perturbed else None,
            idempotency_key=hand.key,
        )
    )
    if outcome.value is None:
        return _again(work, outcome.problem)
    hint = {"hint": "1"} if hand.hint == HELP else {}
    return go_to(f"/rounds/{work.round.round_id}/create", example=outcome.value.example_id, **hint)


def _probe(work: Work) -> Response:
    """Ask the targets without storing anything; the try that follows says that it was done."""
    reading, _ = _read(work)
    if reading.problem is not None:
        return _again(work, reading.problem)
    outcome: Outcome[Answers] = attempt(
        lambda: platform().annotation.probe(
            work.round.round_id, request.form.get("context_id", ""), reading.values
        )
    )
    if outcome.value is None:
        return _again(work, outcome.problem)
    probed = [answer_view(answer, work.rules) for answer in outcome.value.answers]
    return show(replace(work, hand=replace(work.hand, probed=probed)))


def _again(work: Work, problem: ProblemView | None) -> Response:
    """Show the form as it came, with what is wrong.

    The key is kept where the try may have been stored or nothing was decided; a refused try gets a fresh one.
    """
    keeps = problem is not None and (problem.is_temporary or problem.slug in SAME_KEY)
    key = work.hand.key if keeps else uuid4().hex
    return show(replace(work, hand=replace(work.hand, problem=problem, key=key)))


def _another(work: Work) -> Response:
    context_id = request.form.get("context_id") or None
    outcome = attempt(lambda: platform().annotation.assign(work.round.round_id, context_id))
    if outcome.problem is None:
        return go_to(f"/rounds/{work.round.round_id}/create", "another")
    waiting = needing_reason(work.round.round_id) if outcome.problem.slug == "explanation-needed" else None
    return show(work.refused(outcome.problem, waiting))


def _read(work: Work) -> tuple[Reading, Reading]:
    """Return what the form says as values: the input, and the metadata that is asked for with this claim."""
    rules, context = work.rules, dict[str, Value]()
    marked = {each.of for each in (*rules.input, *(m.field for m in rules.create_metadata)) if each.of}
    if marked & {each.name for each in rules.context}:
        assigned = platform().annotation.assign(work.round.round_id)
        if assigned.context.context_id != request.form.get("context_id"):
            return Reading({}, CONTEXT_CHANGED), Reading({})
        context = assigned.context.fields
    reading = read_input(rules, work.hand.held, context)
    claimed = reading.values.get(rules.claimed.name) if rules.claimed else None
    metadata = read_metadata(
        before_submit(rules, work.round.number),
        work.round.number,
        circumstances_before(claimed),
        work.hand.held,
        texts_of(rules, context, reading.values),
    )
    return reading, metadata


def _written(work: Work, assigned: Assignment | None) -> Values:
    """Return what is written so far, without the claim and without what is still empty."""
    reading = read_input(work.rules, work.hand.held, assigned.context.fields if assigned else {})
    names = {each.name for each in work.rules.written}
    return {name: value for name, value in reading.values.items() if name in names and value != ""}


def _similar(work: Work, context_id: str, written: Values) -> Similar | None:
    wanted: Sequence[str] = [each.name for each in work.rules.written]
    if not written or set(wanted) - set(written):
        return None
    found = attempt(
        lambda: platform().annotation.similar(work.round.round_id, context_id, written),
        even_unauthorised=True,
    )
    return found.value
