"""Dependencies of routes: the collaborators, the caller, and the caller's rights to see."""

from typing import Any
from uuid import UUID

from dynabench_common.auth import permissions
from dynabench_common.auth.permissions import Permission, current_principal, ensure, is_allowed
from dynabench_common.http.service import Provided
from dynabench_tasks.configuration.onboarding import Onboarding
from dynabench_tasks.fields import InputRefused

from annotation.domain.errors import NotFound
from annotation.domain.example import Example
from annotation.domain.identifiers import PersonId
from annotation.queries import rounds, tasks
from annotation.service_layer.dependencies import Dependencies

dependencies = Provided[Dependencies]()


def signed_in_person() -> PersonId:
    """Return the id of the caller, on routes whose permission lets only people in."""
    return PersonId(permissions.signed_in_person())


def ensure_may_see(example: Example) -> Example:
    """Return the example to its author, its task's owner or an administrator.

    Raises NotFound for anybody else: a refusal would tell which of the things to validate are examples, and which are
    attention checks.
    """
    principal = current_principal()
    owner = is_allowed(Permission.MANAGE_TASK, principal, example.attempt.task_slug)
    if owner or principal.person_id == example.attempt.author_id:
        return example
    raise NotFound("example", "example_id")


def ensure_may_add_image(slug: str) -> None:
    """Let owners of the task pass, and annotators where people upload what they write about.

    Raises NotFound, Problem 403, and InputRefused where the task has no place for an image.
    """
    fields = tasks.get_task(dependencies().engine, slug).configuration.fields
    if not any(field.type_name == "image" for field in (*fields.context, *fields.input)):
        raise InputRefused("slug", "is a task without images", "Give it a field of type image first.")
    if any(field.type_name == "image" for field in fields.input):
        ensure(Permission.ADD_IMAGE)
    else:
        ensure(Permission.MANAGE_TASK, task=slug)


def find_onboarding(slug: str) -> tuple[UUID, Onboarding | None]:
    """Return a task's id and its onboarding, None without one. Raises NotFound."""
    task = tasks.get_task(dependencies().engine, slug)
    return task.task_id, task.configuration.onboarding


def ensure_owner_of_round(round_id: Any) -> None:
    """Let owners of the round's task pass. Raises NotFound, Problem 403."""
    ensure(Permission.MANAGE_TASK, task=rounds.get_round(dependencies().engine, round_id).task_slug)
