"""Putting together the page of creating: what is in hand, what the last try gave, and what came before."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from uuid import uuid4

from dynabench_client.results.annotation import Assignment, Example, MyTries, Round, Task
from flask import Response

from web.create.form import CreationView, Hand, NotesView, creation_view, notes_view, tally_view
from web.create.try_view import TryView, try_view
from web.kit import fields
from web.kit.configuration import TaskRules, task_rules
from web.kit.dependencies import platform
from web.kit.fields import FieldView
from web.kit.outcomes import attempt, optional
from web.kit.parallel import optional_all
from web.kit.problems import ProblemView
from web.kit.questions import (
    INPUT,
    Reading,
    after_verdict,
    fresh_values,
    held_metadata,
    held_values,
    metadata_questions,
    passages_of,
    read_input,
)
from web.kit.rendering import is_htmx, page
from web.kit.rounds import round_view
from web.kit.worked_examples import worked_examples

EARLIER = 50
MOST_SHOWN = 8
NO_WORK = {
    "no-contexts",
    "explanation-needed",
    "round-draft",
    "round-paused",
    "round-closed",
    "round-released",
}


@dataclass(frozen=True)
class Work:
    """The round, its task, and what the person has in hand."""

    round: Round
    task: Task
    hand: Hand = field(default_factory=Hand)
    verdict: Example | None = None

    @property
    def rules(self) -> TaskRules:
        """What the page needs of the task's configuration."""
        return task_rules(self.task)

    def refused(self, problem: ProblemView | None, verdict: Example | None = None) -> "Work":
        """Return the work with what is wrong."""
        return replace(self, hand=replace(self.hand, problem=problem), verdict=verdict or self.verdict)


def work_on(round_id: str) -> Work:
    """Return a round with empty hands."""
    found = platform().annotation.round(round_id)
    return Work(found, platform().annotation.task(found.task_slug), Hand(key=uuid4().hex))


def needing_reason(round_id: str) -> Example | None:
    """Return one's newest example that fooled and says not yet why."""
    found = optional(lambda: platform().annotation.examples(round_id, limit=EARLIER))
    return next(
        (
            example
            for example in (found.items if found else ())
            if example.fooled and example.retracted_at is None and not example.explanations.model
        ),
        None,
    )


def show(work: Work) -> Response:
    """Return the page, or why there is nothing to write on."""
    assigned = attempt(lambda: platform().annotation.assign(work.round.round_id))
    if assigned.value is None:
        return _stopped(work, assigned.problem)
    problem = work.hand.problem
    response = page(
        "create/page.html",
        problem.status if problem else 200,
        round=round_view(work.round),
        task=work.rules,
        worked_examples=worked_examples(work.rules),
        work=_view(work, assigned.value),
    )
    if problem and problem.retry_after is not None:
        response.headers["Retry-After"] = str(problem.retry_after)
    return response


def _stopped(work: Work, refusal: ProblemView | None) -> Response:
    """Show why there is nothing to write on, with the text that was in hand."""
    problem = work.hand.problem or refusal
    written: Reading = read_input(work.rules, work.hand.held, {})
    waiting = None
    if problem and problem.slug == "explanation-needed":
        waiting = work.verdict or needing_reason(work.round.round_id)
    return page(
        "create/stopped.html",
        problem.status if problem and problem.slug not in NO_WORK else 409,
        round=round_view(work.round),
        task=work.rules,
        problem=problem,
        verdict=try_view(waiting, work.rules) if waiting else None,
        texts=[
            (work.rules.field(name).label, text)
            for name, text in written.values.items()
            if isinstance(text, str) and text
        ],
    )


def _view(work: Work, assignment: Assignment) -> CreationView:
    rules, speaking, round_id = work.rules, platform(), work.round.round_id
    mine = optional(lambda: speaking.annotation.my_tries(round_id))
    figures = optional(lambda: speaking.leaderboard.me(round_id))
    here = _tries_here(work, assignment)
    verdict = _verdict(work, here)
    return creation_view(
        rules,
        assignment,
        _filled(work, assignment),
        round_id=round_id,
        round_number=work.round.number,
        tally=tally_view(mine, figures),
        tries=_made(mine),
        notes=_notes_after(work),
        verdict=verdict,
        questions=_questions(work, assignment),
        earlier=[view for view in here if verdict is None or view.example_id != verdict.example_id],
    )


def _made(mine: MyTries | None) -> int:
    return mine.tries if mine else 0


def _verdict(work: Work, here: Sequence[TryView]) -> TryView | None:
    if work.verdict is None:
        return None
    known = next((view for view in here if view.example_id == work.verdict.example_id), None)
    if known is not None and (known.edits or not known.is_perturbation):
        return known
    pair = work.verdict.perturbation_of
    original = optional(lambda: platform().annotation.example(pair)) if pair else None
    return try_view(work.verdict, work.rules, original=original)


def _filled(work: Work, assignment: Assignment) -> Hand:
    """Return what is in hand; for empty hands the form begins with what the person may start from."""
    if work.hand.held:
        return work.hand
    last, perturbed = work.verdict, work.hand.perturbed
    if perturbed is not None:
        return replace(work.hand, held=_flipped(work.rules, perturbed), is_fresh=True)
    if last is None or last.retracted_at or last.context_id != assignment.context.context_id:
        held = held_values(work.rules, fresh_values(work.rules, assignment))
        return replace(work.hand, held=held, is_fresh=True)
    claimed = {work.rules.claimed.name: last.claimed} if work.rules.claimed and last.claimed else {}
    held = {
        **held_values(work.rules, {**last.input, **claimed}),
        **held_metadata(work.rules.create_metadata, last.metadata),
    }
    return replace(work.hand, held=held)


def _flipped(rules: TaskRules, perturbed: Example) -> fields.Held:
    """Return the form of a smallest edit: the text as it was, and of two labels the other one."""
    others = [label for label in rules.labels if label != perturbed.claimed]
    held = held_values(rules, perturbed.input)
    if rules.claimed is not None and len(others) == 1:
        held = {**held, INPUT + rules.claimed.name: (others[0],)}
    return held


def _questions(work: Work, assignment: Assignment) -> list[FieldView]:
    """Return what is still asked about the try in hand."""
    last = work.verdict
    if last is None or last.retracted_at is not None:
        return []
    asked = after_verdict(work.rules, last, work.round.number)
    held = held_metadata(asked, last.metadata)
    passages = passages_of(work.rules, assignment)
    return metadata_questions(asked, held, passages=passages, problem=work.hand.problem)


def _notes_after(work: Work) -> NotesView | None:
    """Return what the try just made resembles; where a script runs it was told while it was written."""
    last = work.verdict
    if last is None or is_htmx():
        return None
    speaking = platform()
    similar = optional(lambda: speaking.annotation.similar(last.round_id, last.context_id, last.input))
    if similar is None:
        return None
    own = tuple(each for each in similar.own if each.example_id != last.example_id)
    others = similar.model_copy(update={"own": own})
    return notes_view(work.rules, None, {}, others) if own or similar.others else None


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
    by_id = {example.example_id: example for example in here}
    views = [
        try_view(example, work.rules, known, by_id.get(example.perturbation_of or ""))
        for example, known in zip(here, resolutions, strict=True)
    ]
    return views[::-1]
