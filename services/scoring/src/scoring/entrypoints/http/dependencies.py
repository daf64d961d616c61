"""Dependencies of routes: the service's collaborators, and the caller's rights."""

from uuid import UUID

from dynabench_common.auth.permissions import Permission, current_principal, ensure, is_allowed
from dynabench_common.http.service import Provided

from scoring.domain.evaluation import Access
from scoring.queries import datasets, evaluations
from scoring.service_layer.dependencies import HttpDependencies

OWNER = "owner:"

dependencies = Provided[HttpDependencies]()


def ensure_in_round(permission: Permission, round_id: UUID) -> None:
    """Refuse callers without this right over the round's task. Raises RoundUnknown, Problem 401 and 403."""
    ensure(permission, task=datasets.task_of_round(dependencies().engine, round_id))


def evaluation_reader() -> evaluations.Reader:
    """Return which evaluations the caller may read."""
    principal = current_principal()
    if principal.is_admin:
        return evaluations.Reader(principal.person_id, None)
    owned = (role.removeprefix(OWNER) for role in principal.roles if role.startswith(OWNER))
    return evaluations.Reader(principal.person_id, frozenset(owned))


def shows_items(access: str, task_slug: str) -> bool:
    """Tell whether the caller may see the items of a dataset of this access."""
    return access == Access.OPEN or (
        access == Access.SCORING and is_allowed(Permission.MANAGE_TASK, current_principal(), task_slug)
    )


def looks_after_hidden(access: str, task_slug: str) -> bool:
    """Tell whether a dataset is hidden, and the caller looks after its task."""
    return access == Access.HIDDEN and is_allowed(Permission.MANAGE_TASK, current_principal(), task_slug)
