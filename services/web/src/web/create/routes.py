"""Page on which a person writes examples. The server decides every verdict; this page only shows it.

One form has all of the person's input, and its buttons choose the action, so no input is lost on the way. After a try
the browser is redirected to an address that names the example. So reloading it sends nothing again.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID, uuid4

from dynabench_client.results.annotation import Answers, Assignment, Example, Similar
from dynabench_common.auth.permissions import Permission, requires
from dynabench_tasks.values import Value, Values
from flask import Blueprint, Response, make_response, render_template, request

from web.create.carried import unsent
from web.create.claimed_words import settled_claim
from web.create.form import HELP, MARGIN, FormState, notes_view
from web.create.page import (
    CreatePage,
    begin_counts,
    clear_mark,
    create_page,
    mark_as_new,
    needing_reason,
    practice_first,
    show,
)
from web.kit import form, session
from web.kit.answers import answer_view
from web.kit.content_notice import notice_before
from web.kit.dependencies import platform
from web.kit.fields import Texts
from web.kit.language import _
from web.kit.outcomes import Outcome, attempt, optional
from web.kit.parallel import Part, page_reads
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

COUNT = re.compile(r"[0-9]{1,6}")
SAME_KEY = {"idempotency-key-in-use", "service-unreachable"}

blueprint = Blueprint("create", __name__)


@blueprint.get("/rounds/<uuid:round_id>/create")
@requires(Permission.CREATE_EXAMPLE)
def get_create(round_id: UUID) -> Response:
    """Show the form with the person's context; after a try, the verdict; with `edit`, the smallest edit of one."""
    begin_counts(str(round_id))
    for name in ("example", "edit"):
        _begin_example(name)
    current = create_page(str(round_id))
    first = practice_first(current) or notice_before(current.rules)
    if first is not None:
        return first
    verdict, perturbed = (_own_example(name, current) for name in ("example", "edit"))
    state = replace(current.state, hint=HELP if request.args.get("hint") == "1" else "", perturbed=perturbed)
    response = show(replace(current, state=state, verdict=verdict))
    clear_mark(response)
    return response


@blueprint.post("/rounds/<uuid:round_id>/create")
@requires(Permission.CREATE_EXAMPLE)
def post_create(round_id: UUID) -> Response:
    """Carry out the action of the pressed button: submit, try, show hints, or get another context."""
    current = _with_form(create_page(str(round_id)))
    action = request.form.get("action", "submit")
    if request.form.get("resumed"):
        return show(current)
    if action == "hint":
        return show(replace(current, state=replace(current.state, hint=HELP)))
    if action == "another":
        return _another(current)
    if action == "probe":
        return _probe(current)
    return _submit(current)


@blueprint.post("/rounds/<uuid:round_id>/create/notes")
@requires(Permission.USE_PAGES)
def post_notes(round_id: UUID) -> Response:
    """Send the edits and near duplicates of an unfinished text. Failed parts are left out silently."""
    outcome: Outcome[CreatePage] = Outcome()
    if session.viewer().is_signed_in:
        outcome = attempt(lambda: _with_form(create_page(str(round_id))), even_unauthorised=True)
    if outcome.value is None:
        return make_response("", 204)
    current = outcome.value
    context_id = request.form.get("context_id", "")
    assigned = optional(lambda: platform().annotation.assign(current.round.round_id))
    if assigned is not None and assigned.context.context_id != context_id:
        assigned = None
    written = _written(current, assigned)
    notes = notes_view(current.rules, assigned, written, _similar(current, context_id, written))
    return make_response(render_template("create/notes.html", notes=notes, round_id=current.round.round_id))


@blueprint.post("/rounds/<uuid:round_id>/create/flag")
@requires(Permission.FLAG_CONTEXT)
def post_flag(round_id: UUID) -> Response:
    """Report the context and get another."""
    context_id, reason = request.form.get("context_id", ""), form.text("reason")
    outcome = attempt(lambda: platform().annotation.flag_context(context_id, reason))
    if outcome.problem is not None:
        return show(create_page(str(round_id)).refused(outcome.problem))
    optional(lambda: platform().annotation.assign(str(round_id), context_id))
    return go_to(f"/rounds/{round_id}/create", "flagged")


def _begin_example(name: str) -> Part[Example] | None:
    example_id = request.values.get(name)
    return page_reads().read(platform().annotation.example, example_id) if example_id else None


def _own_example(name: str, current: CreatePage) -> Example | None:
    """Return the example named by the address or the form, if it is of this round."""
    part = _begin_example(name)
    found = part.value() if part else None
    return found if found and found.round_id == current.round.round_id else None


def _with_form(current: CreatePage) -> CreatePage:
    """Return the page with the form's content."""
    hint = request.form.get("hint_shown", "")
    state = replace(
        current.state,
        entered=form.entered(),
        key=form.key(),
        hint=hint if hint in {HELP, MARGIN} else "",
        perturbed=_own_example("perturbation_of", current),
    )
    return replace(current, state=state)


def _submit(current: CreatePage) -> Response:
    reading, metadata, texts = _read(current)
    problem = reading.problem or metadata.problem
    if problem is not None:
        return _again(current, problem)
    values, cut = settled_claim(current.rules, reading.values, texts)
    if cut is not None:
        return show(replace(current, state=replace(current.state, cut=cut, key=uuid4().hex)))
    state = current.state
    outcome = attempt(
        lambda: platform().annotation.create_example(
            current.round.round_id,
            request.form.get("context_id", ""),
            values,
            hint_shown=bool(state.hint),
            pasted_characters=_pasted_characters(),
            metadata=metadata.values or None,
            perturbation_of=state.perturbed.example_id if state.perturbed else None,
            idempotency_key=state.key,
        )
    )
    if outcome.value is None:
        return _again(current, outcome.problem)
    hint = {"hint": "1"} if state.hint == HELP else {}
    response = go_to(f"/rounds/{current.round.round_id}/create", example=outcome.value.example_id, **hint)
    mark_as_new(outcome.value.example_id, response)
    return response


def _pasted_characters() -> int | None:
    """Return the count that the page has made; None without scripts, or for anything but a number."""
    given = request.form.get("pasted_characters", "")
    return int(given) if COUNT.fullmatch(given) else None


def _probe(current: CreatePage) -> Response:
    """Ask the targets without storing the text. The next try records the probe."""
    reading, _metadata, _texts = _read(current)
    if reading.problem is not None:
        return _again(current, reading.problem)
    outcome: Outcome[Answers] = attempt(
        lambda: platform().annotation.probe(
            current.round.round_id, request.form.get("context_id", ""), reading.values
        )
    )
    if outcome.value is None:
        return _again(current, outcome.problem)
    probed = [answer_view(answer, current.rules) for answer in outcome.value.answers]
    return show(replace(current, state=replace(current.state, probed=probed)))


def _again(current: CreatePage, problem: ProblemView | None) -> Response:
    """Show the sent form again with the problem.

    The idempotency key stays if the try may have been stored; a refused try gets a new one.
    """
    keeps = problem is not None and (problem.is_temporary or problem.slug in SAME_KEY)
    key = current.state.key if keeps else uuid4().hex
    return show(replace(current, state=replace(current.state, problem=problem, key=key)))


def _another(current: CreatePage) -> Response:
    """Get another context; unsent text stays in the form."""
    context_id, kept = request.form.get("context_id") or None, unsent(current)
    outcome = attempt(lambda: platform().annotation.assign(current.round.round_id, context_id))
    if outcome.problem is None and kept:
        state = FormState(entered=kept, key=uuid4().hex, hint=current.state.hint, is_carried=True)
        return show(replace(current, state=state))
    if outcome.problem is None:
        return go_to(f"/rounds/{current.round.round_id}/create", "another")
    waiting = needing_reason(current.round.round_id) if outcome.problem.slug == "explanation-needed" else None
    return show(current.refused(outcome.problem, waiting))


def _read(current: CreatePage) -> tuple[Reading, Reading, Texts]:
    """Return the form's values: the input, the metadata for this claim, and all texts."""
    rules, context = current.rules, dict[str, Value]()
    marked = {each.of for each in (*rules.input, *(m.field for m in rules.create_metadata)) if each.of}
    if marked & {each.name for each in rules.context}:
        assigned = platform().annotation.assign(current.round.round_id)
        if assigned.context.context_id != request.form.get("context_id"):
            return Reading({}, _context_changed()), Reading({}), {}
        context = assigned.context.fields
    reading = read_input(rules, current.state.entered, context)
    claimed = reading.values.get(rules.claimed.name) if rules.claimed else None
    texts = texts_of(rules, context, reading.values)
    metadata = read_metadata(
        before_submit(rules, current.round.number),
        current.round.number,
        circumstances_before(claimed),
        current.state.entered,
        texts,
    )
    return reading, metadata, texts


def _context_changed() -> ProblemView:
    return ProblemView(
        409,
        _("You have a different text now"),
        _("You asked for it in another window, so your mark does not fit this text."),
        _("What you wrote is still here. Mark the answer in the text that you see now."),
        slug="context-changed",
    )


def _written(current: CreatePage, assigned: Assignment | None) -> Values:
    """Return the texts typed so far, without the claim and empty ones."""
    reading = read_input(current.rules, current.state.entered, assigned.context.fields if assigned else {})
    names = {each.name for each in current.rules.written}
    return {name: value for name, value in reading.values.items() if name in names and value != ""}


def _similar(current: CreatePage, context_id: str, written: Values) -> Similar | None:
    wanted: Sequence[str] = [each.name for each in current.rules.written]
    if not written or set(wanted) - set(written):
        return None
    found = attempt(
        lambda: platform().annotation.similar(current.round.round_id, context_id, written),
        even_unauthorised=True,
    )
    return found.value
