"""The page on which a person writes examples. The server decides every verdict; this page only shows it.

One form holds all that the person has in hand, and its buttons say what to do with it, so that nothing typed is
lost on the way. After a try the browser is sent to an address that names the example: reloading it sends nothing
again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from uuid import UUID, uuid4

from dynabench_client.results.annotation import Assignment, Example, Round, Task
from dynabench_common.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.entrypoints.http import form
from web.entrypoints.http.dependencies import platform
from web.entrypoints.http.outcomes import attempt, optional, optional_all
from web.entrypoints.http.rendering import go_to, page
from web.presenters.configuration import TaskRules, task_rules
from web.presenters.creation import creation_view, tally_view
from web.presenters.examples import TryView, try_view
from web.presenters.problems import ProblemView
from web.presenters.rounds import round_view

EARLIER = 50
MOST_SHOWN = 8
SAME_KEY = {"idempotency-key-in-use", "service-unreachable"}
NO_WORK = {"no-contexts", "round-draft", "round-paused", "round-closed", "round-released"}

blueprint = Blueprint("create", __name__)


@dataclass(frozen=True)
class Work:
    """The round, its task, and what the person has in hand."""

    round: Round
    task: Task
    values: Mapping[str, str] = field(default_factory=dict)
    key: str = ""
    hint_shown: bool = False
    problem: ProblemView | None = None
    verdict: Example | None = None

    @property
    def rules(self) -> TaskRules:
        """What the page needs of the task's configuration."""
        return task_rules(self.task)


@blueprint.get("/rounds/<uuid:round_id>/create")
@requires(Permission.CREATE_EXAMPLE)
def get_create(round_id: UUID) -> Response:
    """Show the form with the person's context; after a try, the verdict."""
    work = _work(round_id)
    example_id = request.args.get("example")
    verdict = optional(lambda: platform().annotation.example(example_id)) if example_id else None
    if verdict is not None and verdict.round_id != work.round.round_id:
        verdict = None
    return _show(replace(work, verdict=verdict, hint_shown=request.args.get("hint") == "1"))


@blueprint.post("/rounds/<uuid:round_id>/create")
@requires(Permission.CREATE_EXAMPLE)
def post_create(round_id: UUID) -> Response:
    """Do with the form what its button says: submit it, show the hints, or give another context."""
    work = _in_hand(_work(round_id))
    action = request.form.get("action", "submit")
    if request.form.get("resumed"):
        return _show(work)
    if action == "hint":
        return _show(replace(work, hint_shown=True))
    if action == "another":
        return _another(work)
    return _submit(work)


@blueprint.post("/rounds/<uuid:round_id>/create/flag")
@requires(Permission.FLAG_CONTEXT)
def post_flag(round_id: UUID) -> Response:
    """Report the context and go on with another."""
    context_id, reason = request.form.get("context_id", ""), form.text("reason")
    outcome = attempt(lambda: platform().annotation.flag_context(context_id, reason))
    if outcome.problem is not None:
        return _show(replace(_work(round_id), problem=outcome.problem))
    optional(lambda: platform().annotation.assign(str(round_id), context_id))
    return go_to(f"/rounds/{round_id}/create", "flagged")


def _work(round_id: UUID) -> Work:
    found = platform().annotation.round(str(round_id))
    return Work(found, platform().annotation.task(found.task_slug), key=uuid4().hex)


def _in_hand(work: Work) -> Work:
    """Return the work with what the form holds; line breaks count once, as the person sees them."""
    names = [field.name for field in work.rules.input]
    values = {name: request.form.get(name, "").replace("\r\n", "\n") for name in names}
    return replace(work, values=values, key=form.key(), hint_shown=request.form.get("hint_shown") == "1")


def _submit(work: Work) -> Response:
    context_id = request.form.get("context_id", "")
    outcome = attempt(
        lambda: platform().annotation.create_example(
            work.round.round_id,
            context_id,
            dict(work.values),
            hint_shown=work.hint_shown,
            idempotency_key=work.key,
        )
    )
    if outcome.value is not None:
        hint = {"hint": "1"} if work.hint_shown else {}
        address = f"/rounds/{work.round.round_id}/create"
        return go_to(address, example=outcome.value.example_id, **hint)
    problem = outcome.problem
    return _show(replace(work, problem=problem, key=_key_after(problem, work.key)))


def _key_after(problem: ProblemView | None, key: str) -> str:
    """Keep the key where the try may have been stored or nothing was decided; a refused try gets a fresh one."""
    keeps = problem is not None and (problem.is_temporary or problem.slug in SAME_KEY)
    return key if keeps else uuid4().hex


def _another(work: Work) -> Response:
    context_id = request.form.get("context_id") or None
    outcome = attempt(lambda: platform().annotation.assign(work.round.round_id, context_id))
    if outcome.problem is not None:
        return _show(replace(work, problem=outcome.problem))
    return go_to(f"/rounds/{work.round.round_id}/create", "another")


def _show(work: Work) -> Response:
    assigned = attempt(lambda: platform().annotation.assign(work.round.round_id))
    if assigned.value is None:
        return _stopped(work, assigned.problem)
    status = work.problem.status if work.problem else 200
    response = page(
        "create.html",
        status,
        round=round_view(work.round),
        task=work.rules,
        work=_view(work, assigned.value),
    )
    if work.problem and work.problem.retry_after is not None:
        response.headers["Retry-After"] = str(work.problem.retry_after)
    return response


def _stopped(work: Work, problem: ProblemView | None) -> Response:
    """Show why there is nothing to write on, with the text that was in hand."""
    problem = work.problem or problem
    texts = [(field.label, work.values.get(field.name, "")) for field in work.rules.texts]
    status = problem.status if problem and problem.slug not in NO_WORK else 409
    return page(
        "create_stopped.html",
        status,
        round=round_view(work.round),
        task=work.rules,
        problem=problem,
        texts=[pair for pair in texts if pair[1]],
    )


def _view(work: Work, assignment: Assignment) -> object:
    rules, speaking, round_id = work.rules, platform(), work.round.round_id
    mine = optional(lambda: speaking.annotation.my_tries(round_id))
    figures = optional(lambda: speaking.leaderboard.me(round_id))
    here = _tries_here(work, assignment)
    verdict = next(
        (view for view in here if work.verdict and view.example_id == work.verdict.example_id), None
    )
    if verdict is None and work.verdict is not None:
        verdict = try_view(work.verdict, rules)
    return creation_view(
        rules,
        assignment,
        values=work.values or _values_of(work.verdict, assignment),
        key=work.key,
        hint_shown=work.hint_shown,
        tally=tally_view(mine, figures),
        problem=work.problem,
        verdict=verdict,
        earlier=[view for view in here if verdict is None or view.example_id != verdict.example_id],
    )


def _tries_here(work: Work, assignment: Assignment) -> list[TryView]:
    """Return one's newest tries on the context in hand, oldest first, with what the votes made of them."""
    if not assignment.attempts and work.verdict is None:
        return []
    speaking = platform()
    found = optional(lambda: speaking.annotation.examples(work.round.round_id, limit=EARLIER))
    here = [
        example
        for example in (found.items if found else ())
        if example.context_id == assignment.context.context_id
    ][:MOST_SHOWN]
    resolutions = optional_all(
        [partial(speaking.validation.resolution, example.example_id) for example in here]
    )
    views = [try_view(example, work.rules, found) for example, found in zip(here, resolutions, strict=True)]
    return views[::-1]


def _values_of(verdict: Example | None, assignment: Assignment) -> dict[str, str]:
    """Return the text of the try just made: the next one is often an edit of it."""
    if verdict is None or verdict.retracted_at or verdict.context_id != assignment.context.context_id:
        return {}
    chosen = {"label": verdict.claimed_label} if verdict.claimed_label else {}
    return {name: str(value) for name, value in {**chosen, **verdict.input}.items()}
