"""Dependencies of routes: the application, the caller, and the caller's rights to see."""

from typing import Any

from dynabench_common.permissions import Permission, current_principal, ensure, is_allowed
from dynabench_tasks.fields import InputRefused
from flask import Flask, current_app

from annotation.bootstrap import Application
from annotation.domain.errors import NotFound
from annotation.domain.example import Example
from annotation.domain.identifiers import PersonId

EXTENSION = "annotation"


def provide(app: Flask, application: Application) -> None:
    """Put the application where `application()` finds it."""
    app.extensions[EXTENSION] = application


def application() -> Application:
    """Return the application that serves this request."""
    extensions: dict[str, Any] = current_app.extensions
    provided: Application = extensions[EXTENSION]
    return provided


def signed_in_person() -> PersonId:
    """Return the id of the caller, on routes whose permission lets only people in."""
    person_id = current_principal().person_id
    if person_id is None:
        raise TypeError("this route needs a permission that only people hold")
    return PersonId(person_id)


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
    fields = application().views.task(slug).configuration.fields
    if not any(field.type_name == "image" for field in (*fields.context, *fields.input)):
        raise InputRefused("slug", "is a task without images", "Give it a field of type image first.")
    if any(field.type_name == "image" for field in fields.input):
        ensure(Permission.ADD_IMAGE)
    else:
        ensure(Permission.MANAGE_TASK, task=slug)


def ensure_owner_of_round(round_id: Any) -> None:
    """Let owners of the round's task pass. Raises NotFound, Problem 403."""
    ensure(Permission.MANAGE_TASK, task=application().views.round(round_id).task_slug)
