"""Dependencies of routes: the collaborators, the caller, and rights that depend on the ownership of a task."""

from collections.abc import Iterable
from uuid import UUID

from dynabench_common.auth import permissions
from dynabench_common.auth.permissions import Permission, ensure
from dynabench_common.http.service import Provided
from dynabench_tasks.configuration.onboarding import Onboarding

from validation.adapters.tasks import SqlTasks
from validation.domain.identifiers import ExampleId, PersonId, RoundId
from validation.domain.rules import Task
from validation.queries import votes
from validation.service_layer.dependencies import Dependencies

dependencies = Provided[Dependencies]()


def signed_in_person() -> PersonId:
    """Return the id of the caller, on routes whose permission lets only people in."""
    return PersonId(permissions.signed_in_person())


def owned_task(permission: Permission, slug: str) -> Task:
    """Return the task, refusing callers who lack the permission on it. Raises TaskUnknown or Problem."""
    ensure(permission, task=slug)
    with dependencies().engine.connect() as connection:
        return SqlTasks(connection).named(slug)


def find_onboarding(slug: str) -> tuple[UUID, Onboarding | None]:
    """Return a task's id and its onboarding, None without one. Raises TaskUnknown."""
    with dependencies().engine.connect() as connection:
        task = SqlTasks(connection).named(slug)
    return task.task_id, task.rules.configuration.onboarding


def ensure_for_round(permission: Permission, round_id: RoundId) -> None:
    """Refuse callers who lack the permission on the round's task. Raises RoundUnknown or Problem."""
    with dependencies().engine.connect() as connection:
        task = SqlTasks(connection).of_round(round_id)
    ensure(permission, task=task.slug)


def ensure_for_rounds(permission: Permission, round_ids: Iterable[RoundId]) -> list[RoundId]:
    """Return those of the rounds that are known here, refusing callers who lack the permission on any of their tasks.

    Raises Problem.
    """
    with dependencies().engine.connect() as connection:
        slugs = SqlTasks(connection).slugs_of(round_ids)
    for slug in sorted(set(slugs.values())):
        ensure(permission, task=slug)
    return list(slugs)


def ensure_for_example(permission: Permission, example_id: ExampleId) -> None:
    """Refuse callers who lack the permission on the example's task. Raises ExampleUnknown or Problem."""
    ensure(permission, task=votes.example_state(dependencies().engine, example_id)["task_slug"])
