"""The try: one text against the targets of a round, judged and stored.

The targets are asked between two transactions, never inside one. The second transaction checks again, under locks,
everything that the first relied on. So a round closed meanwhile stores nothing, and a retry stores nothing twice.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynabench_common.http.idempotency import KeyedRequest
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.near_duplicates import shingles_of
from dynabench_tasks.values import Value
from dynabench_tasks.verdict import Verdict

from annotation.adapters.documents import example_document
from annotation.adapters.unit_of_work import UnitOfWork
from annotation.domain.assignment import Assignment, ContextNotAssigned
from annotation.domain.context import Context
from annotation.domain.errors import NotFound
from annotation.domain.example import Attempt, Example, Explanations
from annotation.domain.identifiers import ContextId, ExampleId, PersonId, RoundId, SegmentId
from annotation.domain.round import Round
from annotation.domain.segment import Segment
from annotation.domain.task import Task
from annotation.domain.written_text import text_digest, written_text
from annotation.service_layer.assignments import assigned_context
from annotation.service_layer.dependencies import Dependencies
from annotation.service_layer.examples import find_equal
from annotation.service_layer.images import find_missing_images, missing_image
from annotation.service_layer.predictions import Judgement, Written, judge
from annotation.service_layer.try_metrics import Origin, timed_try


class ConfigurationChanged(Exception):
    """The task got another configuration while the targets were asked."""


@dataclass(frozen=True)
class SubmitTry:
    """A person's text on a context, with their claim for it.

    `perturbation_of` names the example of which this is a minimal edit.
    """

    round_id: RoundId
    context_id: ContextId
    person_id: PersonId
    cohort: str
    input: Mapping[str, object]
    metadata: Mapping[str, object]
    perturbation_of: ExampleId | None
    hint_shown: bool
    pasted_characters: int | None
    explanations: Explanations
    request: KeyedRequest


@dataclass(frozen=True)
class Reply:
    """The example as JSON, and whether it had been stored by an earlier request."""

    document: dict[str, Any]
    is_replay: bool


@dataclass(frozen=True)
class _Ready:
    """The state of a try before the targets are asked."""

    round_: Round
    task: Task
    context: Context
    targets: tuple[str, ...]
    input: dict[str, Value]
    claimed: Value
    metadata: dict[str, Value]

    @property
    def written(self) -> Written:
        """The input that the targets get."""
        return Written(self.context.fields, self.input, self.claimed)


def submit_try(command: SubmitTry, app: Dependencies) -> Reply:
    """Judge and store a try, or return what an earlier request with the same key stored.

    Raises NotFound, RoundNotOpen, OnboardingNeeded, InputRefused, ContextNotAssigned, QuotaReached, Undecidable,
    TargetRefusesInput, ConfigurationChanged, IdempotencyKeyReused, ConcurrentReplay.
    """
    ready = _prepare(command, app)
    if isinstance(ready, Reply):
        return ready
    with timed_try(ready.task.slug, Origin.PERSON) as outcome:
        judgement = judge(ready.targets, ready.task.configuration, ready.written, app)
        reply = _store(command, ready, judgement, app)
        outcome.result = judgement.verdict.value
    return reply


def _prepare(command: SubmitTry, app: Dependencies) -> _Ready | Reply:
    with app.unit_of_work() as uow:
        earlier = uow.replies.find(command.request)
        if earlier is not None:
            return Reply(earlier, is_replay=True)
        round_, task = uow.rounds.get(command.round_id)
        round_.ensure_open()
        uow.ensure_onboarded(task, command.person_id)
        context, found = assigned_context(command.round_id, command.context_id, command.person_id, uow)
        configuration = task.configuration
        written, claimed = configuration.check_input(command.input, context.fields)
        for _, name in find_missing_images(configuration.fields.written, [written], uow.images):
            raise missing_image(f"input.{name}")
        command.explanations.checked()
        assignment = _count_attempt(found, command, task, uow)
        configuration.check_assigned(claimed, assignment.assigned_label)
        if command.perturbation_of is not None:
            _check_perturbation(command.perturbation_of, command, configuration, written, claimed, uow)
        metadata = configuration.check_create_metadata(
            command.metadata,
            round_.circumstances(None, claimed),
            configuration.texts(context.fields, written),
        )
    asks_targets = configuration.condition(assignment.condition).has_targets
    targets = round_.targets if asks_targets else ()
    return _Ready(round_, task, context, targets, written, claimed, metadata)


def _check_perturbation(
    perturbation_of: ExampleId,
    command: SubmitTry,
    configuration: TaskConfiguration,
    written: Mapping[str, Value],
    claimed: Value,
    uow: UnitOfWork,
) -> None:
    """Accept a minimal edit only of the author's own example, on its context, with another claim.

    Examples without an author, such as attention checks, get the same refusal as another person's. So the refusal
    does not reveal them.
    """
    if not configuration.perturbations:
        raise InputRefused("perturbation_of", "is not asked for in this task", "Leave it out.")
    not_own = InputRefused("perturbation_of", "is no example of yours", "Name one of your own examples.")
    try:
        original = uow.examples.get(perturbation_of)
    except NotFound as err:
        raise not_own from err
    before = original.attempt
    if before.author_id != command.person_id or original.retracted_at is not None:
        raise not_own
    if before.context_id != command.context_id:
        raise InputRefused("perturbation_of", "was written on another context", "Edit it on its own context.")
    if before.claimed == claimed:
        name = f"input.{configuration.claimed_field.name}"
        raise InputRefused(name, "is the same as before the edit", "Make an edit that changes it.")
    if before.input == written:
        raise InputRefused("input", "is the same as before the edit", "Change as little as flips the label.")


def _store(command: SubmitTry, ready: _Ready, judgement: Judgement, app: Dependencies) -> Reply:
    with app.unit_of_work() as uow:
        round_, task = uow.rounds.get_for_share(command.round_id)
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
        uow.examples.add_all([example])
        shingles = shingles_of(written_text(task.configuration, ready.input))
        uow.minhashes.add_all(round_.round_id, {example.example_id: shingles})
        if example.counts_as_fooling:
            uow.contexts.count_fooling(command.context_id, 1)
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
    if not judgement.answers:
        return None
    answers, version = judgement.answers, task.configuration_version
    segment = round_.segment_holding(answers, version, at_submission)
    if segment is None:
        uow.rounds.hold_segments(round_)
        segment = round_.segment_holding(answers, version, at_submission)
    if segment is None:
        segment = round_.start_segment(SegmentId(app.make_id()), answers, version, app.clock.now())
    return segment.segment_id


def _context_of(ready: _Ready, condition: str) -> Mapping[str, Value]:
    """Return the context as its author saw it, so that the example reveals no more.

    A hidden context keeps only the fields that the targets got, because their answers can't be explained without them.
    """
    configuration, fields = ready.task.configuration, ready.context.fields
    if configuration.condition(condition).shows_context:
        return fields
    sent = set(configuration.instance_fields.values())
    return {name: value for name, value in fields.items() if name in sent}


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
        context=_context_of(ready, assignment.condition),
        context_tags=ready.context.tags,
        input=ready.input,
        claimed=ready.claimed,
        assigned_label=assignment.assigned_label,
        perturbation_of=command.perturbation_of,
        author_id=command.person_id,
        cohort=ready.round_.cohort_of(command.cohort),
        condition=assignment.condition,
        number=assignment.attempts,
        seconds_since_context=assignment.seconds_until(now),
        probes_before=counts.probes,
        inspections_before=counts.inspections,
        hint_shown=command.hint_shown,
        pasted_characters=command.pasted_characters,
    )
    configuration = ready.task.configuration
    has_fooled = judgement.verdict is Verdict.FOOLED
    example = Example.create(
        ExampleId(app.make_id()),
        attempt,
        segment_id,
        judgement.answers,
        judgement.verdict,
        judgement.milliseconds,
        ready.metadata,
        now,
        duplicate_of=find_equal(attempt, configuration, uow) if has_fooled else None,
    )
    example.text_digest = text_digest(configuration, attempt.context, attempt.input)
    example.explain(command.explanations, now)
    return example
