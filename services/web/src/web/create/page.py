"""Assembly of the page for writing: the form, the last verdict, and earlier tries."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from uuid import uuid4

from dynabench_client.results.annotation import Assignment, Example, MyTries, Round, Similar, Task
from dynabench_client.results.base import Page
from dynabench_client.results.leaderboard import MyFigures
from flask import Response, request

from web.create.changed_targets import ChangedTargets, changed_targets
from web.create.form import CreateView, FormState, NotesView, StoppedView, create_view, notes_view, tally_view
from web.create.outcome import streak
from web.create.try_view import TryView, try_view
from web.kit import fields, form, session
from web.kit.answers import worked_examples
from web.kit.assigned_work import begin_orders_in, order_bar
from web.kit.break_reminder import proposes_break
from web.kit.configuration import TaskRules, task_rules
from web.kit.dependencies import dependencies, platform
from web.kit.errors import training_first
from web.kit.fields import FieldView
from web.kit.outcomes import attempt
from web.kit.paid_work import CREATE, begin_own_work, current_work, work_bar
from web.kit.parallel import Part, optional_all, page_reads, round_and_task
from web.kit.practised import has_seen_practice
from web.kit.problems import ProblemView
from web.kit.questions import (
    INPUT,
    after_verdict,
    filled_input,
    filled_metadata,
    fresh_values,
    metadata_questions,
    passages_of,
)
from web.kit.rendering import go_to, is_htmx, page
from web.kit.rounds import round_view

EARLIER = 50
MOST_SHOWN = 8
OPEN = "open"
NEW_TRY = "dynabench_new_try"
"""The cookie that marks a new verdict until a page shows it, so that a fooling is celebrated once."""
NEW_TRY_SECONDS = 30
NO_WORK = {
    "no-contexts",
    "explanation-needed",
    "round-draft",
    "round-paused",
    "round-closed",
    "round-released",
}
RUN_OUT = NO_WORK - {"explanation-needed"}
"""The reasons after which nothing is left to write, at least for now."""


@dataclass(frozen=True)
class CreatePage:
    """The round, its task, the state of the form, and the last try."""

    round: Round
    task: Task
    state: FormState = field(default_factory=FormState)
    verdict: Example | None = None

    @cached_property
    def rules(self) -> TaskRules:
        """The part of the task's configuration that the page needs."""
        return task_rules(self.task)

    def refused(self, problem: ProblemView | None, verdict: Example | None = None) -> "CreatePage":
        """Return the page with a problem."""
        return replace(self, state=replace(self.state, problem=problem), verdict=verdict or self.verdict)


def create_page(round_id: str) -> CreatePage:
    """Return the page of a round with an empty form."""
    found, task = round_and_task(round_id)
    return CreatePage(found, task, FormState(key=uuid4().hex))


def begin_counts(round_id: str) -> Part[MyTries]:
    """Start reading the person's own counts in a round; return the part with their tries."""
    mine = page_reads().read(platform().annotation.my_tries, round_id)
    if begin_own_work() is None:
        _begin_figures(round_id)
    return mine


def confirmed_tries(round_id: str) -> int | None:
    """Return how many of the person's tries in a round are validated errors; None if that can't be read.

    A paid person's assignments have that number, so their page needs no other read for it.
    """
    reading = begin_own_work()
    if reading is not None:
        own = reading.value()
        if own is None:
            return None
        work = current_work(own, round_id)
        if work is not None:
            return work.validated_errors_in_round
    figures = _begin_figures(round_id).value()
    return figures.validated_errors if figures else None


def _begin_figures(round_id: str) -> Part[MyFigures]:
    return page_reads().read(platform().leaderboard.me, round_id)


def needing_reason(round_id: str) -> Example | None:
    """Return the person's newest fooling example without an explanation."""
    found = begin_examples(round_id).value()
    return next(
        (
            example
            for example in (found.items if found else ())
            if example.fooled and example.retracted_at is None and not example.explanations.model
        ),
        None,
    )


def show(current: CreatePage) -> Response:
    """Return the page, or the reason why there is no context to write on."""
    _begin(current)
    assigned = attempt(page_reads().read(platform().annotation.assign, current.round.round_id).needed)
    if assigned.value is None:
        training = training_first(assigned.problem, current.rules.slug, CREATE, current.round.round_id)
        return training or _stopped(current, assigned.problem)
    problem = current.state.problem
    response = page(
        "create/page.html",
        problem.status if problem else 200,
        round=round_view(current.round),
        task=current.rules,
        worked_examples=worked_examples(current.rules),
        bar=work_bar(current.round.round_id, CREATE),
        order=order_bar(current.round, CREATE),
        break_due=proposes_break(current.rules),
        view=_view(current, assigned.value),
    )
    if problem and problem.retry_after is not None:
        response.headers["Retry-After"] = str(problem.retry_after)
    return response


def _begin(current: CreatePage) -> None:
    """Start all reads that do not depend on the context; examples only if the person has any."""
    annotation, reads = platform().annotation, page_reads()
    mine = begin_counts(current.round.round_id)
    reads.read(annotation.assign, current.round.round_id)
    begin_orders_in(current.round)
    counted = mine.value()
    if counted is None or counted.tries or current.verdict:
        begin_examples(current.round.round_id)
    if current.verdict and current.verdict.perturbation_of:
        reads.read(annotation.example, current.verdict.perturbation_of)
    if current.verdict and not is_htmx():
        _begin_similar(current.verdict)


def begin_examples(round_id: str) -> Part[Page[Example]]:
    """Start reading the person's newest examples in a round."""
    return page_reads().read(platform().annotation.examples, round_id, limit=EARLIER)


def _begin_similar(last: Example) -> Part[Similar]:
    """Start the search for texts similar to a try."""
    client, reads = platform(), page_reads()

    def similar(_example_id: str) -> Similar:
        return client.annotation.similar(last.round_id, last.context_id, last.input)

    return reads.read(similar, last.example_id)


def _stopped(current: CreatePage, refusal: ProblemView | None) -> Response:
    """Show the reason why there is no context to write on, with the text from the form."""
    problem = current.state.problem or refusal
    waiting = None
    if problem and problem.slug == "explanation-needed" and current.verdict is None:
        waiting = needing_reason(current.round.round_id)
    shown = replace(current, verdict=current.verdict or waiting)
    return page(
        "create/stopped.html",
        problem.status if problem and problem.slug not in NO_WORK else 409,
        round=round_view(current.round),
        task=current.rules,
        bar=work_bar(
            current.round.round_id, CREATE, has_run_out=problem is not None and problem.slug in RUN_OUT
        ),
        order=order_bar(current.round, CREATE),
        problem=problem,
        is_waiting=problem is not None and problem.slug == "explanation-needed",
        view=StoppedView(
            _verdict(shown, ()),
            _questions(shown, None),
            current.state.problem,
            is_verdict_new=shown.verdict is not None and is_new(shown.verdict.example_id),
        ),
        sent=form.sent_texts(),
    )


def _view(current: CreatePage, assignment: Assignment) -> CreateView:
    rules, round_id = current.rules, current.round.round_id
    mine = begin_counts(round_id).value()
    here = _tries_here(current, assignment)
    verdict = _verdict(current, here)
    is_fresh_verdict = verdict is not None and is_new(verdict.example_id)
    return create_view(
        rules,
        assignment,
        _filled(current, assignment),
        round_id=round_id,
        round_number=current.round.number,
        targets=current.round.targets,
        tally=tally_view(mine, confirmed_tries(round_id)),
        notes=_notes_after(current),
        verdict=verdict,
        questions=_questions(current, assignment),
        earlier=[view for view in here if verdict is None or view.example_id != verdict.example_id],
        changed=_changed(current, assignment) if _made(mine) else None,
        owed=_owed(current, _made(mine)),
        is_verdict_new=is_fresh_verdict,
        streak=_streak(current) if is_fresh_verdict else "",
    )


def _streak(current: CreatePage) -> str:
    found = begin_examples(current.round.round_id).value()
    return streak(found.items if found else ())


def _changed(current: CreatePage, assignment: Assignment) -> ChangedTargets | None:
    found = begin_examples(current.round.round_id).value()
    targets = current.round.targets if assignment.has_targets else ()
    return changed_targets(found.items if found else (), current.verdict, targets)


def _owed(current: CreatePage, made: int) -> str:
    """Return the id of the try that needs a reason before the next context; empty if none."""
    found = needing_reason(current.round.round_id) if current.rules.needs_reason and made else None
    return found.example_id if found else ""


def _made(mine: MyTries | None) -> int:
    return mine.tries if mine else 0


def _verdict(current: CreatePage, here: Sequence[TryView]) -> TryView | None:
    if current.verdict is None:
        return None
    known = next((view for view in here if view.example_id == current.verdict.example_id), None)
    if known is not None and (known.edits or not known.is_perturbation):
        return known
    pair = current.verdict.perturbation_of
    original = page_reads().read(platform().annotation.example, pair).value() if pair else None
    return try_view(current.verdict, current.rules, original=original)


def _filled(current: CreatePage, assignment: Assignment) -> FormState:
    """Return the form as sent; an empty one starts with the starting text, if there is one."""
    if current.state.is_carried:
        fresh = filled_input(current.rules, fresh_values(current.rules, assignment))
        return replace(current.state, entered={**fresh, **current.state.entered})
    if current.state.entered:
        return current.state
    last, perturbed = current.verdict, current.state.perturbed
    if perturbed is not None:
        return replace(current.state, entered=_flipped(current.rules, perturbed), is_fresh=True)
    if last is None or last.retracted_at or last.context_id != assignment.context.context_id:
        entered = filled_input(current.rules, fresh_values(current.rules, assignment))
        return replace(current.state, entered=entered, is_fresh=True)
    claimed = {current.rules.claimed.name: last.claimed} if current.rules.claimed and last.claimed else {}
    entered = {
        **filled_input(current.rules, {**last.input, **claimed}),
        **filled_metadata(current.rules.create_metadata, last.metadata),
    }
    return replace(current.state, entered=entered)


def _flipped(rules: TaskRules, perturbed: Example) -> fields.FormValues:
    """Return the form for a smallest edit: the same text and, if there are two labels, the other one."""
    others = [label for label in rules.labels if label != perturbed.claimed]
    entered = filled_input(rules, perturbed.input)
    if rules.claimed is not None and len(others) == 1:
        entered = {**entered, INPUT + rules.claimed.name: (others[0],)}
    return entered


def _questions(current: CreatePage, assignment: Assignment | None) -> list[FieldView]:
    """Return the open questions about the last try. Spans are marked in its own context, if that is shown."""
    last = current.verdict
    if last is None or last.retracted_at is not None:
        return []
    asked = after_verdict(current.rules, last, current.round.number)
    entered = filled_metadata(asked, last.metadata)
    is_here = assignment is not None and assignment.context.context_id == last.context_id
    passages = passages_of(current.rules, assignment) if assignment and is_here else {}
    return metadata_questions(asked, entered, passages=passages, problem=current.state.problem)


def _notes_after(current: CreatePage) -> NotesView | None:
    """Return texts similar to the new try; None for htmx, where the author saw them while writing."""
    last = current.verdict
    if last is None or is_htmx():
        return None
    similar = _begin_similar(last).value()
    if similar is None:
        return None
    own = tuple(each for each in similar.own if each.example_id != last.example_id)
    others = similar.model_copy(update={"own": own})
    return notes_view(current.rules, None, {}, others) if own or similar.others else None


def _tries_here(current: CreatePage, assignment: Assignment) -> list[TryView]:
    """Return the person's newest tries on the present context, oldest first, with their resolutions."""
    if not assignment.attempts and current.verdict is None:
        return []
    client = platform()
    found = begin_examples(current.round.round_id).value()
    here = [
        example
        for example in (found.items if found else ())
        if example.context_id == assignment.context.context_id
    ][:MOST_SHOWN]
    resolutions = optional_all(
        [partial(client.validation.resolution, example.example_id) for example in here]
    )
    by_id = {example.example_id: example for example in here}
    views = [
        try_view(example, current.rules, known, by_id.get(example.perturbation_of or ""))
        for example, known in zip(here, resolutions, strict=True)
    ]
    return views[::-1]


def mark_as_new(example_id: str, response: Response) -> None:
    """Mark the verdict as new for the next page."""
    _set_mark(response, example_id, NEW_TRY_SECONDS)


def is_new(example_id: str) -> bool:
    """Return whether the try is new and not shown yet."""
    return request.cookies.get(NEW_TRY) == example_id


def clear_mark(response: Response) -> None:
    """Remove the mark, if there is one."""
    if NEW_TRY in request.cookies:
        _set_mark(response, "", 0)


def _set_mark(response: Response, value: str, seconds: int) -> None:
    secure = dependencies().settings.has_secure_origin
    response.set_cookie(
        NEW_TRY, value, max_age=seconds, path="/rounds", httponly=True, samesite="Lax", secure=secure
    )


def practice_first(current: CreatePage) -> Response | None:
    """Return the redirect of first-time writers to the practice.

    None for people who have seen it, wrote in the task before, or own it, and while the page can't find out. Where
    the task has a training, the practice is part of that.
    """
    slug, round_id = current.rules.slug, current.round.round_id
    is_plain_visit = request.method == "GET" and not request.args and not is_htmx()
    leads_there = current.rules.has_practice and CREATE not in current.rules.trained
    if not is_plain_visit or not leads_there or current.round.state != OPEN:
        return None
    if has_seen_practice(slug) or session.viewer().owns(slug):
        return None
    mine = begin_counts(round_id).value()
    if mine is None or mine.tries:
        return None
    rounds = page_reads().read(platform().leaderboard.my_rounds).value()
    if rounds is None or any(each.task_slug == slug for each in rounds):
        return None
    return go_to(f"/tasks/{slug}/practice", next=f"/rounds/{round_id}/create")
