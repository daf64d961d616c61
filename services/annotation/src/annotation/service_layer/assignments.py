"""The command that gives a person the context they work on."""

from dataclasses import dataclass

from annotation.domain.assignment import Assignment, NoContexts, draw_condition
from annotation.domain.configuration.task_configuration import Quotas
from annotation.domain.context import Context
from annotation.domain.identifiers import AssignmentId, ContextId, PersonId, RoundId
from annotation.domain.round import Round
from annotation.domain.task import Task
from annotation.service_layer.dependencies import Dependencies
from annotation.service_layer.ports import UnitOfWork


@dataclass(frozen=True)
class AssignContext:
    """Give a person their context in a round: the one in hand, or the next if they name that one."""

    round_id: RoundId
    person_id: PersonId
    not_context_id: ContextId | None


def assign_context(command: AssignContext, app: Dependencies) -> tuple[Assignment, Context]:
    """Return what the person works on now. Raises NotFound, RoundNotOpen, NoContexts."""
    with app.unit_of_work() as uow:
        round_, task = uow.rounds.hold(command.round_id)
        round_.ensure_open()
        current = uow.assignments.lock_current(command.round_id, command.person_id)
        if current is None or _wants_another(current, command, task.configuration.quotas):
            current = _next(command, round_, task, uow, app)
            uow.assignments.make_current(current)
        context = uow.contexts.get(current.context_id)
        uow.commit()
    return current, context


def _wants_another(current: Assignment, command: AssignContext, quotas: Quotas) -> bool:
    return current.context_id == command.not_context_id or current.is_used_up(quotas)


def _next(
    command: AssignContext, round_: Round, task: Task, uow: UnitOfWork, app: Dependencies
) -> Assignment:
    configuration = task.configuration
    context_id = uow.contexts.take_next(
        round_.round_id, command.person_id, configuration, command.not_context_id
    )
    if context_id is None:
        raise NoContexts
    seen = uow.assignments.find(context_id, command.person_id)
    return Assignment(
        assignment_id=AssignmentId(app.make_id()),
        round_id=round_.round_id,
        context_id=context_id,
        person_id=command.person_id,
        condition=draw_condition(configuration.conditions, app.draw()),
        assigned_at=app.clock.now(),
        attempts=seen.attempts if seen else 0,
    )
