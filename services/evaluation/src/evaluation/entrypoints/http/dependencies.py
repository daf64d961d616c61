"""Dependencies of routes: the collaborators, and the caller's rights."""

from dynabench_common.auth.permissions import Permission, current_principal, is_allowed
from dynabench_common.auth.private_tasks import hidden_tasks
from dynabench_common.http.service import Provided

from evaluation.domain.evaluations import Access
from evaluation.queries.evaluations import Reader
from evaluation.service_layer.dependencies import HttpDependencies

dependencies = Provided[HttpDependencies]("evaluation")


def evaluation_reader() -> Reader:
    """Return which evaluations the caller may read."""
    principal = current_principal()
    if principal.is_admin:
        return Reader(principal.person_id, None)
    return Reader(principal.person_id, principal.owned_tasks, hidden_tasks())


def shows_items(access: str, task_slug: str) -> bool:
    """Return whether the caller may see the items of a dataset of this access."""
    return access == Access.OPEN or (
        access == Access.SCORING and is_allowed(Permission.MANAGE_TASK, current_principal(), task_slug)
    )


def looks_after_hidden(access: str, task_slug: str) -> bool:
    """Return whether a dataset is hidden, and the caller looks after its task."""
    return access == Access.HIDDEN and is_allowed(Permission.MANAGE_TASK, current_principal(), task_slug)
