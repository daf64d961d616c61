"""Commands on stored examples: explain, describe, decide, retract, inspect, and overrule a duplicate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from dynabench_common.events.audit import Action
from dynabench_common.telemetry.logging import get_logger
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.explanations import question_about

from annotation.adapters.unit_of_work import UnitOfWork
from annotation.domain.example import TIME_TO_DECIDE, Attempt, Example
from annotation.domain.identifiers import ExampleId, InspectionId, PersonId
from annotation.domain.round import ProbesNotAllowed
from annotation.domain.written_text import text_digest
from annotation.service_layer.dependencies import Dependencies

log = get_logger(__name__)
OVERDUE_AT_ONCE = 100


@dataclass(frozen=True)
class ExplainExample:
    """Put texts in place of the author's explanations; None leaves one as it is."""

    example_id: ExampleId
    person_id: PersonId
    label: str | None
    model: str | None


@dataclass(frozen=True)
class DescribeExample:
    """Put metadata in place of what the author gave before."""

    example_id: ExampleId
    person_id: PersonId
    metadata: Mapping[str, object]


@dataclass(frozen=True)
class DecideExample:
    """Say which targets were wrong, where the task asks the author."""

    example_id: ExampleId
    person_id: PersonId
    wrong_targets: Sequence[str]


@dataclass(frozen=True)
class OverruleDuplicate:
    """An owner finds that an example is no duplicate, and says why."""

    example_id: ExampleId
    owner_id: PersonId
    reason: str


@dataclass(frozen=True)
class InspectExample:
    """Ask why a target gave its answer, for its own label or another; more steps are more exact.

    For a span, `label` is its `start` or its `end`.
    """

    example_id: ExampleId
    person_id: PersonId
    target: str
    label: str | None
    n_steps: int | None


def explain_example(command: ExplainExample, app: Dependencies) -> Example:
    """Store the texts. Raises NotFound, NotTheAuthor, RoundImmutable, InputRefused."""
    with app.unit_of_work() as uow:
        example = uow.examples.lock(command.example_id)
        example.ensure_author(command.person_id)
        uow.rounds.hold(example.attempt.round_id)[0].ensure_mutable()
        explanations = example.explanations.changed(command.label, command.model)
        example.explain(explanations, app.clock.now())
        uow.examples.save(example)
        uow.commit()
    return example


def retract_example(example_id: ExampleId, person_id: PersonId, app: Dependencies) -> Example:
    """Withdraw the example. Raises NotFound, NotTheAuthor, RoundImmutable."""
    with app.unit_of_work() as uow:
        example = uow.examples.lock(example_id)
        example.ensure_author(person_id)
        round_, task = uow.rounds.hold(example.attempt.round_id)
        round_.ensure_mutable()
        fooled = example.counts_as_fooling
        example.retract(task.configuration.ensemble, app.clock.now())
        if fooled and not example.counts_as_fooling:
            uow.contexts.count_fooling(example.attempt.context_id, -1)
        uow.examples.save(example)
        uow.commit()
    return example


def describe_example(command: DescribeExample, app: Dependencies) -> Example:
    """Store the metadata. Raises NotFound, NotTheAuthor, RoundImmutable, InputRefused."""
    with app.unit_of_work() as uow:
        example = uow.examples.lock(command.example_id)
        example.ensure_author(command.person_id)
        round_, task = uow.rounds.hold(example.attempt.round_id)
        round_.ensure_mutable()
        attempt = example.attempt
        metadata = task.configuration.check_create_metadata(
            command.metadata,
            round_.circumstances(example.verdict, attempt.claimed),
            task.configuration.texts(attempt.context, attempt.input),
        )
        example.describe(metadata, app.clock.now())
        uow.examples.save(example)
        uow.commit()
    return example


def decide_example(command: DecideExample, app: Dependencies) -> Example:
    """Take the author's word on the answers.

    Raises NotFound, NotTheAuthor, RoundImmutable, NothingToDecide, TargetDidNotAnswer.
    """
    with app.unit_of_work() as uow:
        example = uow.examples.lock(command.example_id)
        example.ensure_author(command.person_id)
        round_, task = uow.rounds.hold(example.attempt.round_id)
        round_.ensure_mutable()
        configuration = task.configuration
        find = partial(find_equal, example.attempt, configuration, uow)
        example.decide(command.wrong_targets, configuration.ensemble, app.clock.now(), find)
        if example.counts_as_fooling:
            uow.contexts.count_fooling(example.attempt.context_id, 1)
        uow.examples.save(example)
        uow.commit()
    return example


def decide_overdue(app: Dependencies) -> int:
    """Decide the oldest tries whose authors stayed silent for a day, retracted ones too; return how many they were."""
    now = app.clock.now()
    with app.unit_of_work() as uow:
        overdue = uow.examples.lock_overdue(now - TIME_TO_DECIDE, OVERDUE_AT_ONCE)
        for example in overdue:
            _, task = uow.rounds.get(example.attempt.round_id)
            example.decide_by_silence(task.configuration.ensemble, now)
            uow.examples.save(example)
        uow.commit()
    if overdue:
        log.info("overdue_tries_decided", tries=len(overdue))
    return len(overdue)


def overrule_duplicate(command: OverruleDuplicate, app: Dependencies) -> Example:
    """Count the example as any other, and write an audit entry.

    Raises NotFound, RoundImmutable, NoDuplicate, OwnExample.
    """
    with app.unit_of_work() as uow:
        example = uow.examples.lock(command.example_id)
        uow.rounds.hold(example.attempt.round_id)[0].ensure_mutable()
        now, fooled_before = app.clock.now(), example.counts_as_fooling
        example.overrule(command.owner_id, command.reason, now)
        if example.counts_as_fooling and not fooled_before:
            uow.contexts.count_fooling(example.attempt.context_id, 1)
        uow.examples.save(example)
        uow.audit(_overruled(example, command), now)
        uow.commit()
    return example


def _overruled(example: Example, command: OverruleDuplicate) -> Action:
    return Action(
        actor_id=command.owner_id,
        action="example.duplicate_overruled",
        object_kind="example",
        object_id=example.example_id,
        task_slug=example.attempt.task_slug,
        round_id=example.attempt.round_id,
        reason=command.reason,
        details={"duplicate_of": str(example.duplicate_of)},
    )


def find_equal(attempt: Attempt, configuration: TaskConfiguration, uow: UnitOfWork) -> ExampleId | None:
    """Return the example of the task that counts as fooling with nearly the same text and the claim, if any does."""
    return uow.examples.find_fooling_text(
        attempt.task_id,
        text_digest(configuration, attempt.context, attempt.input),
        attempt.claimed,
        lambda context, written: text_digest(configuration, context, written),
    )


def inspect_example(command: InspectExample, app: Dependencies) -> Mapping[str, Any]:
    """Return the target's attributions on the stored input, and count that the person saw them.

    An inspection that fails shows nothing, so it isn't counted. Raises NotFound, ProbesNotAllowed,
    TargetDidNotAnswer, InputRefused, InspectionUnavailable.
    """
    with app.unit_of_work() as uow:
        example = uow.examples.get(command.example_id)
        round_, task = uow.rounds.get(example.attempt.round_id)
        creates = uow.examples.count(round_.round_id, command.person_id) > 0
    if round_.is_in_progress and creates and task.configuration.probes == "none":
        raise ProbesNotAllowed
    answer = example.answer_of(command.target)
    attempt, configuration = example.attempt, task.configuration
    instance = configuration.instance(attempt.context, attempt.input)
    question = question_about(configuration, instance, command.label, answer.value)
    explanation = app.gateway.explain(command.target, question.instance, question.label, command.n_steps)
    with app.unit_of_work() as uow:
        uow.probes.add_inspection(
            InspectionId(app.make_id()), example, command.person_id, command.target, app.clock.now()
        )
        uow.commit()
    return explanation
