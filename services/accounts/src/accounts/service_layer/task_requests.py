"""Commands about the right to start a task: ask for it, grant or refuse it."""

from dataclasses import dataclass, replace
from uuid import UUID

from dynabench_common.events.audit import Action

from accounts.adapters.unit_of_work import AccountsUnitOfWork
from accounts.domain.errors import RequestedTaskOwned, TaskOwned, TaskRequestNotFound
from accounts.domain.person import reason_given
from accounts.domain.roles import owner_role
from accounts.domain.task_request import TaskRequest, TaskRequestState, ask
from accounts.service_layer.dependencies import HttpDependencies
from accounts.service_layer.people import ChangeRoles, give_roles


@dataclass(frozen=True)
class AskForTask:
    """Ask the administrators for the right to start a task."""

    person_id: UUID
    task_slug: str
    reason: str


@dataclass(frozen=True)
class AnswerTaskRequest:
    """Grant or refuse a person's open request, with a sentence for the person."""

    actor_id: UUID
    person_id: UUID
    task_slug: str
    is_granted: bool
    answer: str


def ask_for_task(command: AskForTask, app: HttpDependencies) -> None:
    """Store the request, unless it is stored already.

    Raises AccountNeeded, FieldRefused, TaskRequestOpen, TaskOwned if the address is taken.
    """
    with app.unit_of_work() as uow:
        person, now = uow.people.lock(command.person_id), app.clock.now()
        person.ensure_has_account()
        last = uow.task_requests.find(command.person_id)
        request = ask(person, command.task_slug, command.reason, last, now)
        if request is last:
            return
        if _is_taken(request, uow, app):
            raise TaskOwned(request.task_slug)
        uow.task_requests.save(request)
        uow.audit(_action("task_request.made", command.person_id, request, request.reason), now)
        uow.commit()


def answer_task_request(command: AnswerTaskRequest, app: HttpDependencies) -> None:
    """Answer an open request; granting it gives the role of the task's owner. The same answer again changes nothing.

    Raises FieldRefused without a sentence, TaskRequestNotFound if the person does not ask for this task,
    RequestedTaskOwned if it is to be granted and the address is taken.
    """
    answer = reason_given(command.answer, "answer")
    state = TaskRequestState.GRANTED if command.is_granted else TaskRequestState.REFUSED
    with app.unit_of_work() as uow:
        now, given = app.clock.now(), owner_role(command.task_slug)
        uow.people.lock_administrators()  # one of two grants of the same address waits for the other
        uow.people.lock(command.person_id)
        found = uow.task_requests.find(command.person_id)
        if found is None or found.task_slug != command.task_slug:
            raise TaskRequestNotFound
        if (found.state, found.answer) == (state, answer):
            return
        if found.state is not TaskRequestState.OPEN:
            raise TaskRequestNotFound
        if command.is_granted:
            if _is_taken(found, uow, app):
                raise RequestedTaskOwned(command.task_slug)
            change = ChangeRoles(command.actor_id, command.person_id, (given,), (), answer)
            give_roles(change, lambda held: held | {given}, answer, uow, now)
        uow.task_requests.save(replace(found, state=state, answer=answer))
        uow.audit(_action(f"task_request.{state.value}", command.actor_id, found, answer), now)
        uow.commit()


def _is_taken(request: TaskRequest, uow: AccountsUnitOfWork, app: HttpDependencies) -> bool:
    """Return whether a task has the address, also one without an owner, or another person may start it."""
    slug = request.task_slug
    return app.has_task(slug) or uow.task_requests.is_owned(slug, other_than=request.person_id)


def _action(action: str, actor_id: UUID, request: TaskRequest, reason: str) -> Action:
    return Action(
        action=action,
        actor_id=actor_id,
        object_kind="person",
        object_id=request.person_id,
        reason=reason,
        details={"task": request.task_slug},
    )
