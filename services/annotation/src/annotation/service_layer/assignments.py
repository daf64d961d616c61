"""The command that assigns a person their next context."""

from dataclasses import dataclass

from dynabench_tasks.configuration.conditions import Condition
from dynabench_tasks.configuration.task_configuration import REQUIRED_WHEN_FOOLED, Quotas
from dynabench_tasks.fields import InputRefused

from annotation.adapters.unit_of_work import UnitOfWork
from annotation.domain.assignment import (
    Assignment,
    ContextNotAssigned,
    NoContexts,
    Place,
)
from annotation.domain.context import Context
from annotation.domain.identifiers import AssignmentId, ContextId, ExampleId, PersonId, RoundId
from annotation.domain.task import Task
from annotation.service_layer.dependencies import Dependencies


@dataclass(frozen=True)
class AssignContext:
    """Give a person their context in a round: the assigned one, or the next if they name that one."""

    round_id: RoundId
    person_id: PersonId
    not_context_id: ContextId | None


@dataclass(eq=False)
class ExplanationNeeded(Exception):
    """The person has yet to say why a target was fooled before they go on."""

    example_id: ExampleId


@dataclass(frozen=True)
class Work:
    """A person's current work: the assignment, its context, and the arm that was drawn."""

    assignment: Assignment
    context: Context
    condition: Condition


def assign_context(command: AssignContext, app: Dependencies) -> Work:
    """Return what the person works on now.

    Raises NotFound, RoundNotOpen, OnboardingNeeded, NoContexts, ExplanationNeeded, TooManyPassedOver.
    """
    with app.unit_of_work() as uow:
        round_, task = uow.rounds.get_for_share(command.round_id)
        round_.ensure_open()
        uow.ensure_onboarded(task, command.person_id)
        place = uow.assignments.lock_place(command.round_id, command.person_id)
        current = place.current
        if current is None or _wants_another(current, command, task.configuration.quotas):
            if task.configuration.explanations == REQUIRED_WHEN_FOOLED:
                _ensure_explained(command, uow)
            place.move_on(app.passed_over_per_hour, app.clock.now())
            current = _next(command, place, task, uow, app)
            uow.assignments.make_current(current, place)
        context = uow.contexts.get(current.context_id)
        uow.commit()
    return Work(current, context, task.configuration.condition(current.condition))


def assigned_context(
    round_id: RoundId, context_id: ContextId, person_id: PersonId, uow: UnitOfWork
) -> tuple[Context, Assignment]:
    """Return a context of the round that the person was given. Raises NotFound, InputRefused, ContextNotAssigned."""
    context = uow.contexts.get(context_id)
    if context.round_id != round_id:
        raise InputRefused("context_id", "belongs to another round", "Ask this round for a context.")
    assignment = uow.assignments.find(context_id, person_id)
    if assignment is None:
        raise ContextNotAssigned
    return context, assignment


def _ensure_explained(command: AssignContext, uow: UnitOfWork) -> None:
    unexplained = uow.examples.find_unexplained_fooling(command.round_id, command.person_id)
    if unexplained is not None:
        raise ExplanationNeeded(unexplained)


def _wants_another(current: Assignment, command: AssignContext, quotas: Quotas) -> bool:
    return current.context_id == command.not_context_id or current.is_used_up(quotas)


def _next(command: AssignContext, place: Place, task: Task, uow: UnitOfWork, app: Dependencies) -> Assignment:
    configuration = task.configuration
    context_id = uow.contexts.take_next(
        place.round_id,
        place.person_id,
        configuration,
        command.not_context_id,
        uow.work_orders.contexts_for(place.round_id, place.person_id),
    )
    if context_id is None:
        raise NoContexts
    seen = uow.assignments.find(context_id, place.person_id)
    condition, label = place.arm_and_label(seen, configuration, app.draw)
    return Assignment(
        assignment_id=AssignmentId(app.make_id()),
        round_id=place.round_id,
        context_id=context_id,
        person_id=place.person_id,
        condition=condition,
        assigned_at=app.clock.now(),
        attempts=seen.attempts if seen else 0,
        assigned_label=label,
    )
