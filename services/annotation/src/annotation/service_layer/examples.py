"""Commands on stored examples: explain, retract, inspect."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from annotation.domain.example import Example
from annotation.domain.identifiers import ExampleId, InspectionId, PersonId
from annotation.domain.round import ProbesNotAllowed
from annotation.service_layer.dependencies import Dependencies
from annotation.service_layer.equal_texts import find_equal_of
from annotation.service_layer.inspection import question_about
from annotation.service_layer.metadata import circumstances_of


@dataclass(frozen=True)
class ExplainExample:
    """Put texts in place of the author's explanations; None leaves one as it is."""

    example_id: ExampleId
    person_id: PersonId
    label: str | None
    model: str | None


@dataclass(frozen=True)
class RetractExample:
    """Withdraw an example."""

    example_id: ExampleId
    person_id: PersonId


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
class InspectExample:
    """Ask why a target answered as it did, for its own label or another; more steps are more exact.

    Of a span, `label` is its `start` or its `end`.
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


def retract_example(command: RetractExample, app: Dependencies) -> Example:
    """Withdraw the example. Raises NotFound, NotTheAuthor, RoundImmutable."""
    with app.unit_of_work() as uow:
        example = uow.examples.lock(command.example_id)
        example.ensure_author(command.person_id)
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
            circumstances_of(example.verdict, attempt.claimed, round_),
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
        find = partial(find_equal_of, example, configuration, uow)
        example.decide(command.wrong_targets, configuration.ensemble, app.clock.now(), find)
        if example.counts_as_fooling:
            uow.contexts.count_fooling(example.attempt.context_id, 1)
        uow.examples.save(example)
        uow.commit()
    return example


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
