"""The try: one text against the targets of a round, judged and stored.

The targets are asked between two transactions, never inside one. The second looks again at everything that the
first relied on, under locks, so a round closed meanwhile stores nothing and a retry stores nothing twice.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.domain.assignment import Assignment, ContextNotAssigned
from annotation.domain.context import Context
from annotation.domain.example import Attempt, Example, Explanations
from annotation.domain.fields import InputRefused
from annotation.domain.identifiers import ContextId, ExampleId, PersonId, RoundId, SegmentId
from annotation.domain.round import Round
from annotation.domain.segment import Segment
from annotation.domain.task import Task
from annotation.service_layer.dependencies import Dependencies
from annotation.service_layer.documents import example_document
from annotation.service_layer.ports import KeyedRequest, UnitOfWork
from annotation.service_layer.predictions import Judgement, judge


class ConfigurationChanged(Exception):
    """The task got another configuration while the targets were asked."""


@dataclass(frozen=True)
class SubmitTry:
    """A person's text on a context, with the label that they claim for it."""

    round_id: RoundId
    context_id: ContextId
    person_id: PersonId
    cohort: str
    input: Mapping[str, object]
    hint_shown: bool
    explanations: Explanations
    request: KeyedRequest


@dataclass(frozen=True)
class Reply:
    """The example as JSON, and whether it had been stored by an earlier request."""

    document: dict[str, Any]
    is_replay: bool


@dataclass(frozen=True)
class _Ready:
    """What is known before the targets are asked."""

    round_: Round
    task: Task
    context: Context
    input: dict[str, str]
    claimed_label: str


def submit_try(command: SubmitTry, app: Dependencies) -> Reply:
    """Judge and store a try, or return what an earlier request with the same key stored.

    Raises NotFound, RoundNotOpen, InputRefused, ContextNotAssigned, QuotaReached, Undecidable,
    TargetRefusesInput, ConfigurationChanged, IdempotencyKeyReused, ConcurrentReplay.
    """
    ready = _prepare(command, app)
    if isinstance(ready, Reply):
        return ready
    judgement = judge(ready.round_.targets, ready.task.configuration, ready.input, ready.claimed_label, app)
    return _store(command, ready, judgement, app)


def _prepare(command: SubmitTry, app: Dependencies) -> _Ready | Reply:
    with app.unit_of_work() as uow:
        earlier = uow.replies.find(command.request)
        if earlier is not None:
            return Reply(earlier, is_replay=True)
        round_, task = uow.rounds.get(command.round_id)
        round_.ensure_open()
        written, label = task.configuration.check_input(command.input)
        command.explanations.checked()
        context = uow.contexts.get(command.context_id)
        if context.round_id != round_.round_id:
            raise InputRefused("context_id", "belongs to another round", "Ask this round for a context.")
        assignment = uow.assignments.find(context.context_id, command.person_id)
        _count_attempt(assignment, command, task, uow)
    return _Ready(round_, task, context, written, label)


def _store(command: SubmitTry, ready: _Ready, judgement: Judgement, app: Dependencies) -> Reply:
    with app.unit_of_work() as uow:
        round_, task = uow.rounds.hold(command.round_id)
        assignment = uow.assignments.lock(command.context_id, command.person_id)
        earlier = uow.replies.find(command.request)
        if earlier is not None:
            return Reply(earlier, is_replay=True)
        round_.ensure_open()
        if task.configuration_version != ready.task.configuration_version:
            raise ConfigurationChanged
        assignment = _count_attempt(assignment, command, task, uow)
        segment_id = _segment_of(judgement, round_, task, ready.round_.segment, uow, app)
        example = _example_of(command, ready, judgement, assignment, segment_id, uow, app)
        uow.assignments.save(assignment)
        uow.rounds.save(round_)
        uow.examples.add(example)
        document = example_document(example)
        uow.replies.store(command.request, document)
        uow.commit()
    return Reply(document, is_replay=False)


def _count_attempt(
    assignment: Assignment | None, command: SubmitTry, task: Task, uow: UnitOfWork
) -> Assignment:
    if assignment is None:
        raise ContextNotAssigned
    quotas = task.configuration.quotas
    limited = quotas.tries_per_person is not None
    tries = uow.examples.count(command.round_id, command.person_id) if limited else 0
    assignment.next_attempt(quotas, tries)
    return assignment


def _segment_of(
    judgement: Judgement,
    round_: Round,
    task: Task,
    at_submission: Segment | None,
    uow: UnitOfWork,
    app: Dependencies,
) -> SegmentId | None:
    if not round_.targets:
        return None
    answers, version = judgement.answers, task.configuration_version
    segment = round_.segment_holding(answers, version, at_submission)
    if segment is None:
        uow.rounds.hold_segments(round_)
        segment = round_.segment_holding(answers, version, at_submission)
    if segment is None:
        segment = round_.start_segment(SegmentId(app.make_id()), answers, version, app.clock.now())
    return segment.segment_id


def _example_of(
    command: SubmitTry,
    ready: _Ready,
    judgement: Judgement,
    assignment: Assignment,
    segment_id: SegmentId | None,
    uow: UnitOfWork,
    app: Dependencies,
) -> Example:
    now = app.clock.now()
    counts = uow.probes.count(command.round_id, command.person_id)
    attempt = Attempt(
        task_id=ready.task.task_id,
        task_slug=ready.task.slug,
        configuration_version=ready.task.configuration_version,
        round_id=command.round_id,
        context_id=command.context_id,
        context=ready.context.fields,
        input=ready.input,
        claimed_label=ready.claimed_label,
        author_id=command.person_id,
        cohort=command.cohort,
        condition=assignment.condition,
        number=assignment.attempts,
        seconds_since_context=assignment.seconds_until(now),
        probes_before=counts.probes,
        inspections_before=counts.inspections,
        hint_shown=command.hint_shown,
    )
    example = Example.create(
        ExampleId(app.make_id()),
        attempt,
        segment_id,
        judgement.answers,
        judgement.verdict,
        judgement.milliseconds,
        now,
    )
    example.explain(command.explanations, now)
    return example
