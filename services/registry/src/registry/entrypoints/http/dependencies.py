"""Dependencies of routes: the service's collaborators, and a submission that the caller may see."""

from uuid import UUID

from dynabench_common.auth.permissions import Permission, current_principal, is_allowed, signed_in_person
from dynabench_common.http.service import Provided

from registry.domain.errors import SubmissionUnknown
from registry.domain.submission import Submission
from registry.service_layer.dependencies import HttpDependencies

dependencies = Provided[HttpDependencies]()


def decides_on(task: str) -> bool:
    """Return whether the caller decides which models run on a task."""
    return is_allowed(Permission.DECIDE_ON_MODELS, current_principal(), task)


def visible(submission_id: UUID) -> Submission:
    """Return a submission if the caller is its submitter or may decide on its task. Raises SubmissionUnknown."""
    with dependencies().unit_of_work() as uow:
        found = uow.submissions.get(submission_id)
    if found.submitted_by != current_principal().person_id and not decides_on(found.task_slug):
        raise SubmissionUnknown
    return found


def own(submission_id: UUID) -> Submission:
    """Return a submission of the caller's. Raises SubmissionUnknown for others."""
    with dependencies().unit_of_work() as uow:
        found = uow.submissions.get(submission_id)
    if found.submitted_by != signed_in_person():
        raise SubmissionUnknown
    return found


def decided_on(submission_id: UUID) -> Submission:
    """Return a submission whose task the caller decides on. Raises SubmissionUnknown for others."""
    found = visible(submission_id)
    if not decides_on(found.task_slug):
        raise SubmissionUnknown
    return found
