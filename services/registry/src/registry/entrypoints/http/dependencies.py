"""Dependencies of routes: the service's collaborators, the caller, and a submission that the caller may see."""

from typing import Any
from uuid import UUID

from dynabench_common.permissions import Permission, current_principal, is_allowed
from flask import Flask, current_app

from registry.bootstrap import Dependencies
from registry.domain.errors import SubmissionUnknown
from registry.domain.submission import Submission
from registry.service_layer.uploading import ensure_submitter

EXTENSION = "registry"


def provide(app: Flask, needed: Dependencies) -> None:
    """Put the collaborators where `dependencies()` finds them."""
    app.extensions[EXTENSION] = needed


def dependencies() -> Dependencies:
    """Return the collaborators of the app that serves this request."""
    extensions: dict[str, Any] = current_app.extensions
    needed: Dependencies = extensions[EXTENSION]
    return needed


def signed_in_person() -> UUID:
    """Return the id of the caller, on routes whose permission lets only people in."""
    person_id = current_principal().person_id
    if person_id is None:
        raise TypeError("this route needs a permission that only people hold")
    return person_id


def decides_on(task: str) -> bool:
    """Tell whether the caller decides which models run on a task."""
    return is_allowed(Permission.DECIDE_ON_MODELS, current_principal(), task)


def visible(submission_id: UUID) -> Submission:
    """Return a submission to its submitter and to who decides on its task. Raises SubmissionUnknown for others."""
    with dependencies().make_uow() as uow:
        found = uow.submissions.get(submission_id)
    if found.submitted_by != current_principal().person_id and not decides_on(found.task_slug):
        raise SubmissionUnknown
    return found


def own(submission_id: UUID) -> Submission:
    """Return a submission of the caller's. Raises SubmissionUnknown for others."""
    with dependencies().make_uow() as uow:
        return ensure_submitter(uow.submissions.get(submission_id), signed_in_person())


def decided_on(submission_id: UUID) -> Submission:
    """Return a submission whose task the caller decides on. Raises SubmissionUnknown for others."""
    found = visible(submission_id)
    if not decides_on(found.task_slug):
        raise SubmissionUnknown
    return found
