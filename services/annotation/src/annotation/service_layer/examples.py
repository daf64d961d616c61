"""Commands on stored examples: explain, retract, inspect."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.domain.example import Example
from annotation.domain.fields import InputRefused
from annotation.domain.identifiers import ExampleId, InspectionId, PersonId
from annotation.domain.round import ProbesNotAllowed, RoundState
from annotation.service_layer.dependencies import Dependencies


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
class InspectExample:
    """Ask why a target answered as it did, for its own label or another; more steps are more exact."""

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
        uow.rounds.hold(example.attempt.round_id)[0].ensure_mutable()
        example.retract(app.clock.now())
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
    if round_.state is RoundState.OPEN and creates and task.configuration.probes == "none":
        raise ProbesNotAllowed
    answer = example.answer_of(command.target)
    if command.label is not None and command.label not in task.configuration.labels:
        labels = ", ".join(task.configuration.labels)
        raise InputRefused("label", f"is {command.label[:50]!r}, no label of this task", f"Choose: {labels}.")
    explanation = app.gateway.explain(
        command.target, example.attempt.input, command.label or answer.label, command.n_steps
    )
    with app.unit_of_work() as uow:
        uow.probes.add_inspection(
            InspectionId(app.make_id()), example, command.person_id, command.target, app.clock.now()
        )
        uow.commit()
    return explanation
